import type { ErrorCode, SchemaDeclaration } from '@evenkeel/core';
import type { StructuralSchema, ValidationRule } from '../evaluate/structural-schema.ts';
import type { ApiClass } from '../model/api-class.ts';
import { addRules, fieldOf, fieldPathOf, isOneOf } from './rules.ts';
import { writeShared } from './value-declarations.ts';

/** Writes the decorators of a class into its schema, which has its properties already. */
export function writeClassDeclarations(
  read: ApiClass,
  schema: StructuralSchema,
  report: (code: ErrorCode, message: string) => void,
): void {
  for (const declaration of read.says) {
    switch (declaration.says) {
      case 'members':
        if (declaration.of.every((member) => hasProperty(schema, member))) addRules(schema, membersRule(declaration));
        break;
      case 'union':
        writeUnion(declaration, schema, report);
        break;
      default:
        writeShared(declaration, schema);
    }
  }
}

/** A missing property has been reported. */
function hasProperty({ properties = {} }: StructuralSchema, name: string): boolean {
  return Object.hasOwn(properties, name);
}

/** The API server estimates the lowest cost for the sum; controller-gen writes the same. */
function membersRule({ set, of }: Extract<SchemaDeclaration, { says: 'members' }>): ValidationRule[] {
  const has = of.map((member) => `has(${fieldOf('self', member)})`);
  if (has.length === 0) return [];
  const names = of.join(', ');
  if (set === 'atLeastOne') return [{ rule: has.join(' || '), message: `at least one of ${names} must be set` }];
  const sum = has.map((test) => `(${test} ? 1 : 0)`).join(' + ');
  return set === 'exactlyOne'
    ? [{ rule: `${sum} == 1`, message: `exactly one of ${names} must be set` }]
    : [{ rule: `${sum} <= 1`, message: `at most one of ${names} may be set` }];
}

function writeUnion(
  { discriminator, variants }: Extract<SchemaDeclaration, { says: 'union' }>,
  schema: StructuralSchema,
  report: (code: ErrorCode, message: string) => void,
): void {
  const property = hasProperty(schema, discriminator) ? schema.properties?.[discriminator] : undefined;
  // A missing property or an invalid map has been reported.
  if (property === undefined || typeof variants !== 'object' || variants === null) return;
  const values = Object.keys(variants);
  const listed = property.enum ?? values;
  const other = [...listed, ...values].find((value) => !listed.includes(value) || !values.includes(String(value)));
  if (other !== undefined) {
    const text = `@Union() and the values of "${discriminator}" differ: only one of them has "${other}"; list the same values`;
    report('conflicting-types', text);
  }
  property.enum = values;
  if (property.default === undefined) {
    schema.required = [...new Set([...(schema.required ?? []), discriminator])].sort();
  }
  const valuesOf = new Map<string, string[]>();
  for (const [value, member] of Object.entries(variants)) {
    if (member !== undefined) valuesOf.set(member, [...(valuesOf.get(member) ?? []), value]);
  }
  const field = fieldOf('self', discriminator);
  for (const [member, values] of valuesOf) {
    if (hasProperty(schema, member)) addRules(schema, [onlyThereRule(member, field, discriminator, values)]);
  }
}

/** The rule for a property that is required for some values of a discriminator and forbidden for all others. */
export function onlyThereRule(
  member: string,
  field: string,
  discriminator: string,
  values: readonly string[],
): ValidationRule {
  const has = `has(${fieldOf('self', member)})`;
  return {
    rule: `${isOneOf(field, values)} ? ${has} : !${has}`,
    message: `${member} must be set if ${discriminator} is ${values.join(' or ')}, and must not be set otherwise`,
    fieldPath: fieldPathOf(member),
  };
}
