import { jsonEqual } from '@evenkeel/apimachinery/json';
import type { ErrorCode } from '@evenkeel/core';
import { escapeFieldName } from '../evaluate/cel/value/field-name.ts';
import type { StructuralSchema, ValidationRule } from '../evaluate/structural-schema.ts';
import type { ApiClass, ApiProperty } from '../model/api-class.ts';
import { onlyThereRule } from './class-declarations.ts';
import { addRules, fieldOf, fieldPathOf, isNoneOf, isOneOf } from './rules.ts';

interface UnionContext {
  ofClass(variant: ApiClass): StructuralSchema;
  ofProperty(property: ApiProperty): StructuralSchema;
  /** Reports an error of a property, or of the union as a whole. */
  report(code: ErrorCode, message: string, property?: ApiProperty): void;
}

interface Variant {
  readonly value: string;
  readonly schema: StructuralSchema;
}

/**
 * The schema of a union of classes with a discriminator. It has the properties of all variants, and rules that allow each
 * variant only its own properties. Rules that all variants share appear once.
 */
export function unionSchema(read: ApiClass, context: UnionContext): StructuralSchema {
  const { discriminator = '', variants: classes = [] } = read.union ?? {};
  const variants = classes.map((variant) => ({ value: variant.value, schema: context.ofClass(variant.class) }));
  const field = fieldOf('self', discriminator);
  const properties: [string, StructuralSchema][] = [];
  const required = [discriminator];
  const rules: ValidationRule[] = [];
  if (escapeFieldName(discriminator) === undefined) {
    context.report('invalid-option', `CEL rules cannot name the discriminator "${discriminator}"; rename it`);
  }
  for (const property of read.properties) {
    if (property.name === discriminator) {
      properties.push([discriminator, context.ofProperty(property)]);
      continue;
    }
    const { schema, isRequired, rule } = sharedProperty(property, variants, discriminator, field, context);
    properties.push([property.name, schema]);
    if (isRequired) required.push(property.name);
    if (rule !== undefined) rules.push(rule);
  }
  const schema: StructuralSchema = {
    ...sharedKeywords(variants, context),
    type: 'object',
    ...(read.description === undefined ? {} : { description: read.description }),
    properties: Object.fromEntries(properties),
    required: required.sort(),
  };
  addRules(schema, [...rules, ...variantRules(variants, field)]);
  return schema;
}

interface SharedProperty {
  readonly schema: StructuralSchema;
  readonly isRequired: boolean;
  readonly rule?: ValidationRule;
}

/** A property of some or all variants, with its schema in each of them. */
interface Holders {
  readonly property: ApiProperty;
  readonly schemas: readonly { readonly value: string; readonly schema: StructuralSchema }[];
  readonly isEverywhere: boolean;
}

function sharedProperty(
  property: ApiProperty,
  variants: readonly Variant[],
  discriminator: string,
  field: string,
  context: UnionContext,
): SharedProperty {
  const { name } = property;
  const schemas = variants.flatMap(({ value, schema }) => {
    const own = ownProperty(schema, name);
    return own === undefined ? [] : [{ value, schema: own }];
  });
  const isEverywhere = schemas.length === variants.length;
  const schema = sharedSchema({ property, schemas, isEverywhere }, context);
  // The API server would add an object with a default also in variants that do not declare it, so the variants that
  // declare it require it instead.
  const demanding = variants
    .filter((variant) => {
      const isRequired = (variant.schema.required ?? []).includes(name);
      return isRequired || (!isEverywhere && isMadeObject(ownProperty(variant.schema, name)));
    })
    .map(({ value }) => value);
  if (isEverywhere && demanding.length === variants.length) return { schema, isRequired: true };
  if (isEverywhere && demanding.length === 0) return { schema, isRequired: false };
  if (escapeFieldName(name) === undefined) {
    context.report(
      'invalid-option',
      'CEL rules cannot name it, so no rule can restrict it to its variants; rename it',
      property,
    );
    return { schema, isRequired: false };
  }
  const values = schemas.map(({ value }) => value);
  const rule =
    demanding.length === values.length
      ? onlyThereRule(name, field, discriminator, values)
      : partlyThereRule(name, field, discriminator, { demanding, allowing: isEverywhere ? undefined : values });
  return { schema, isRequired: false, rule };
}

/** The common schema of a property. Differences between variants are reported. */
function sharedSchema({ property, schemas, isEverywhere }: Holders, context: UnionContext): StructuralSchema {
  const [first, ...others] = schemas;
  const schema = { ...first?.schema };
  for (const other of others) {
    if (jsonEqual(comparable(other.schema), comparable(schema))) continue;
    context.report(
      'conflicting-types',
      `variants "${first?.value}" and "${other.value}" declare it differently, but a structural schema has one schema for each property; declare it in the same way, or rename one`,
      property,
    );
  }
  const isMade = schemas.every((holder) => isMadeObject(holder.schema));
  if (isEverywhere) {
    if (!schemas.every((holder) => jsonEqual(holder.schema.default, schema.default))) {
      context.report(
        'invalid-default',
        'its variants have different defaults, and the API server cannot choose one; set the same default in all of them, or remove it',
        property,
      );
    }
    return schema;
  }
  if (schemas.some((holder) => holder.schema.default !== undefined) && !isMade) {
    context.report(
      'invalid-default',
      'the API server would set its default in every variant, even in those that do not declare it; make it optional and set it in the controller',
      property,
    );
  }
  delete schema.default;
  return schema;
}

/** The rule for a property that is required for some values of a discriminator, and allowed for all or only for some others. */
function partlyThereRule(
  name: string,
  field: string,
  discriminator: string,
  { demanding, allowing }: { readonly demanding: readonly string[]; readonly allowing: readonly string[] | undefined },
): ValidationRule {
  const has = `has(${fieldOf('self', name)})`;
  const parts: string[] = [];
  const texts: string[] = [];
  if (demanding.length > 0) {
    parts.push(`${has} || ${isNoneOf(field, demanding)}`);
    texts.push(`must be set if ${discriminator} is ${demanding.join(' or ')}`);
  }
  if (allowing !== undefined) {
    parts.push(`!${has} || ${isOneOf(field, allowing)}`);
    texts.push(`may only be set if ${discriminator} is ${allowing.join(' or ')}`);
  }
  return {
    rule: parts.length === 1 ? parts.join('') : parts.map((part) => `(${part})`).join(' && '),
    message: `${name} ${texts.join(', and ')}`,
    fieldPath: fieldPathOf(name),
  };
}

function ownProperty(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const properties = schema.properties ?? {};
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function isMadeObject(schema: StructuralSchema | undefined): boolean {
  return schema?.type === 'object' && jsonEqual(schema.default, {}) && schema.properties !== undefined;
}

/** The parts of a schema that must be equal: no descriptions, and no defaults, which are compared separately. */
function comparable(schema: StructuralSchema | undefined): StructuralSchema | undefined {
  if (schema === undefined) return undefined;
  const { default: _default, description: _description, title: _title, example: _example, ...rest } = schema;
  return rest;
}

/** Keywords of the classes themselves, such as `x-kubernetes-preserve-unknown-fields`. */
function sharedKeywords(variants: readonly Variant[], context: UnionContext): StructuralSchema {
  const [first, ...others] = variants.map(({ schema }) => {
    const { type: _type, description: _description, title: _title, properties: _properties, ...rest } = schema;
    const { required: _required, 'x-kubernetes-validations': _rules, externalDocs: _docs, ...keywords } = rest;
    return keywords;
  });
  if (others.some((keywords) => !jsonEqual(keywords, first))) {
    context.report(
      'conflicting-types',
      'its variants have different decorators on their classes (@MapType(), @PreserveUnknownFields()), but share one schema; give all of them the same decorators',
    );
  }
  return first ?? {};
}

/** The rules of the variants' classes. Each rule applies only to the variants that have it. */
function variantRules(variants: readonly Variant[], field: string): ValidationRule[] {
  const byText = new Map<string, { rule: ValidationRule; values: string[] }>();
  for (const { value, schema } of variants) {
    for (const rule of schema['x-kubernetes-validations'] ?? []) {
      const known = byText.get(JSON.stringify(rule)) ?? { rule, values: [] };
      known.values.push(value);
      byText.set(JSON.stringify(rule), known);
    }
  }
  return [...byText.values()].map(({ rule, values }) => {
    if (values.length === variants.length) return rule;
    // A comment at the end of the rule would hide the parenthesis.
    const text = rule.rule.includes('//') ? `${rule.rule}\n` : rule.rule;
    const message = rule.message ?? `failed rule: ${rule.rule.replace(/\s+/g, ' ').trim()}`;
    return { ...rule, rule: `${isNoneOf(field, values)} || (${text})`, message };
  });
}
