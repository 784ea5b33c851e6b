import { addErrors, type FieldError, forbidden, invalid } from '../apimachinery.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import type { JsonSchemaProps } from './custom-resource-definition.ts';
import { defaultErrors } from './default-values.ts';
import type { CrdLeniency } from './old-definition.ts';
import { schemaErrors } from './schema-rules.ts';
import { structuralErrors, unsupportedKeyword } from './structural-rules.ts';

/**
 * The errors of the whole schema of a version, or of all versions. `limitsEachRule` is false if the costs of existing rules
 * are not limited.
 */
export function rootSchemaErrors(
  schema: JsonSchemaProps,
  path: string,
  hasStatus: boolean,
  leniency: CrdLeniency,
  limitsEachRule: boolean,
): FieldError[] {
  const errors = hasStatus ? statusRootErrors(schema, path) : [];
  if (schema.nullable === true) errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  const unsupported = leniency.allowsNonStructural ? undefined : unsupportedKeyword(schema);
  let compilesRules = false;
  if (unsupported === undefined && !leniency.allowsNonStructural) {
    const structural = structuralErrors(schema, path);
    const found =
      structural.length > 0
        ? structural
        : defaultErrors(schema as StructuralSchema, path, !leniency.allowsUnprunedDefaults);
    addErrors(errors, found);
    compilesRules = found.length === 0;
  }
  addErrors(errors, schemaErrors(schema, path, leniency, { compilesRules, limitsEachRule }));
  if (errors.length === 0 && unsupported !== undefined) errors.push(invalid(path, '', unsupported));
  return errors;
}

/** The keywords that the root may have if the status subresource validates only `.status`. */
const allowedWithStatus = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

function statusRootErrors(schema: JsonSchemaProps, path: string): FieldError[] {
  const said = Object.entries(schema).filter(([, value]) => value !== undefined);
  const refused = said.map(([keyword]) => keyword).filter((keyword) => !allowedWithStatus.includes(keyword));
  const comesFirst = refused.some((keyword) => ['id', '$schema', '$ref'].includes(keyword));
  if (schema.type && schema.type !== 'object' && !comesFirst) {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(`${path}.type`, schema.type, detail)];
  }
  if (refused.length === 0) return [];
  const allowed = allowedWithStatus.map(goFieldName).join(' ');
  const detail = `only [${allowed}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path, schema, detail)];
}

function goFieldName(keyword: string): string {
  return keyword
    .replace(/^x-kubernetes-/, 'x-')
    .replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
