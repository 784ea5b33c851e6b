import { applyConstraints } from '../constraints/apply-constraints.ts';
import { jsonEqual } from '../evaluate/json-value.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { Finding } from '../finding.ts';
import type { ApiClass, ApiProperty, PropertyType } from '../model/api-class.ts';
import { decoratorName } from '../model/constraint-metadata.ts';
import { conditionsSchema } from './conditions-schema.ts';

/**
 * The root schema of a custom resource. Where a decorator's meaning is not kept exactly, a notice says so; a property
 * of unknown type, about which an error has been reported, is left without a type.
 */
export function schemaOfClass(root: ApiClass, findings: Finding[]): StructuralSchema {
  const schema = classSchema(root, 'user', findings);
  return {
    ...schema,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...schema.properties,
    },
  };
}

/** Who writes a value: users' numbers come from YAML and may be beyond what JavaScript can hold. */
type Writer = 'user' | 'operator';

interface SchemaOfProperty {
  readonly schema: StructuralSchema;
  /** Whether it stands in its parent's `required`. */
  readonly isRequired: boolean;
}

function propertySchema(property: ApiProperty, writer: Writer, findings: Finding[]): SchemaOfProperty {
  const isStatus = property.says.some((declaration) => declaration.says === 'status');
  const schema = typeSchema(property.type, isStatus ? 'operator' : writer, findings);
  writeConstraints(property, schema, findings);
  if (writer === 'user' && !isStatus) boundIntegers(schema);
  if (property.description !== undefined) schema.description = property.description;
  if (property.type.is === 'object') return nestedObject(property, schema, isStatus);
  if (property.initialValue !== undefined) schema.default = property.initialValue;
  return { schema, isRequired: property.isRequired };
}

/**
 * An object that must be there is required if anything in it is; else it is made where it is missing (`default: {}`), so
 * that the defaults below it apply. One marked as optional stays away.
 */
function nestedObject(property: ApiProperty, schema: StructuralSchema, isStatus: boolean): SchemaOfProperty {
  const needsContent = (schema.required ?? []).length > 0;
  if (property.initialValue !== undefined) {
    schema.default = jsonEqual(property.initialValue, defaultsBelow(schema)) ? {} : property.initialValue;
    return { schema, isRequired: false };
  }
  if (isStatus) {
    if (!needsContent && Object.keys(defaultsBelow(schema)).length > 0) schema.default = {};
    return { schema, isRequired: false };
  }
  if (!property.isRequired) return { schema, isRequired: false };
  if (needsContent) return { schema, isRequired: true };
  schema.default = {};
  return { schema, isRequired: false };
}

/** What the API server makes of `{}`. */
function defaultsBelow(schema: StructuralSchema): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined) continue;
    const below = defaultsBelow(property);
    made[name] = Object.keys(below).length > 0 ? { ...below, ...(property.default as object) } : property.default;
  }
  return made;
}

function typeSchema(type: PropertyType, writer: Writer, findings: Finding[]): StructuralSchema {
  switch (type.is) {
    case 'values':
      return { type: typeOfValues(type.values), enum: [...type.values] };
    case 'array':
      return { type: 'array', items: typeSchema(type.items, writer, findings) };
    case 'map':
      return { type: 'object', additionalProperties: typeSchema(type.values, writer, findings) };
    case 'object':
      return classSchema(type.class, writer, findings);
    case 'conditions':
      return conditionsSchema();
    case 'anyObject':
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    case 'unknown':
      return {};
    default:
      return { type: type.is };
  }
}

function classSchema(read: ApiClass, writer: Writer, findings: Finding[]): StructuralSchema {
  const properties: Record<string, StructuralSchema> = {};
  const required: string[] = [];
  for (const property of read.properties) {
    const { schema, isRequired } = propertySchema(property, writer, findings);
    properties[property.name] = schema;
    if (isRequired) required.push(property.name);
  }
  return {
    type: 'object',
    ...(read.description === undefined ? {} : { description: read.description }),
    ...(read.properties.length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required: required.sort() }),
  };
}

function typeOfValues(values: readonly unknown[]): string {
  if (values.every((value) => Number.isInteger(value))) return 'integer';
  return typeof values[0] as 'string' | 'number' | 'boolean';
}

/**
 * Whole numbers that JavaScript can hold: the operator would read others as their neighbours. Numbers under `status`
 * were JavaScript's before they were sent.
 */
function boundIntegers(schema: StructuralSchema): void {
  if (schema.type === 'integer' && schema.enum === undefined) {
    schema.minimum ??= Number.MIN_SAFE_INTEGER;
    schema.maximum ??= Number.MAX_SAFE_INTEGER;
  }
  const elements = elementsOf(schema);
  if (elements !== undefined) boundIntegers(elements);
}

function writeConstraints(property: ApiProperty, schema: StructuralSchema, findings: Finding[]): void {
  if (property.type.is === 'unknown') return;
  applyConstraints(property.constraints, schema, (use, { grade, reason }) => {
    if (grade === 'exact') return;
    findings.push({
      level: 'notice',
      code: 'inexact-constraint',
      className: property.className,
      property: property.name,
      ...(property.location === undefined ? {} : { location: property.location }),
      message: `${decoratorName(use)} ${gradeTexts[grade]}${reason === undefined ? '' : `: ${reason}`}`,
    });
  });
}

const gradeTexts = {
  looser: 'is only in part in the schema, which accepts more',
  stricter: 'is in the schema, which accepts less',
  'not-expressible': 'is not in the schema',
} as const;

function elementsOf(schema: StructuralSchema): StructuralSchema | undefined {
  if (schema.items !== undefined) return schema.items;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}
