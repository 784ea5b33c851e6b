import { copyJson, jsonEqual } from '@evenkeel/apimachinery/json';
import type { ErrorCode } from '@evenkeel/core';
import type { BuiltInType } from '../builtin/built-in-types.ts';
import { conditionsSchema } from '../builtin/conditions-schema.ts';
import { intOrStringSchema, objectMetaSchema, quantitySchema } from '../builtin/special-types.ts';
import { compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import { setDefaults } from '../evaluate/custom-resource/defaulting.ts';
import { duplicateItems } from '../evaluate/custom-resource/list-type.ts';
import { SchemaNode } from '../evaluate/custom-resource/schema-node.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { Finding } from '../finding/finding.ts';
import type { ApiClass, ApiProperty, ApiValue, PropertyType } from '../model/api-class.ts';
import { changedSchema } from './changed-schema.ts';
import { writeClassDeclarations } from './class-declarations.ts';
import { addRules } from './rules.ts';
import { uncheckedDecorators } from './unchecked-decorators.ts';
import { unionSchema } from './union-schema.ts';
import { onceSetRule, writeValue } from './value-declarations.ts';

/**
 * The root schema of a custom resource. A notice reports each decorator that the schema does not express exactly. A property
 * of unknown type, for which an error has been reported, gets no type.
 */
export function schemaOfClass(root: ApiClass, findings: Finding[]): StructuralSchema {
  const schema = new ClassSchemas(findings).ofClass(root, 'user');
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

/** The author of a value: users' numbers come from YAML and may exceed the range of JavaScript. */
export type Writer = 'user' | 'operator';

interface SchemaOfProperty {
  readonly schema: StructuralSchema;
  /** Whether it is in its parent's `required`. */
  readonly isRequired: boolean;
}

class ClassSchemas {
  readonly #findings: Finding[];

  constructor(findings: Finding[]) {
    this.#findings = findings;
  }

  ofClass(read: ApiClass, writer: Writer): StructuralSchema {
    if (read.union !== undefined) {
      return unionSchema(read, {
        ofClass: (variant) => this.ofClass(variant, writer),
        ofProperty: (property) => this.#ofProperty(property, read, writer).schema,
        report: (code, message, property) => this.#report('error', code, message, property ?? read),
      });
    }
    const base: StructuralSchema = read.base === undefined ? {} : this.#ofBuiltIn(read.base, read);
    const properties = new Map<string, StructuralSchema>(Object.entries(base.properties ?? {}));
    const own = new Set(read.properties.map(({ name }) => name));
    const required = (base.required ?? []).filter((name) => !own.has(name));
    const onceSet: ApiProperty[] = [];
    for (const property of read.properties) {
      const { schema, isRequired } = this.#ofProperty(property, read, writer);
      properties.set(property.name, schema);
      if (isRequired) required.push(property.name);
      const mayGo = (!isRequired && schema.default === undefined) || schema.nullable === true;
      if (mayGo && property.says.some(({ says }) => says === 'immutable')) onceSet.push(property);
    }
    const schema: StructuralSchema = {
      ...base,
      type: 'object',
      ...(read.description === undefined ? {} : { description: read.description }),
      ...(properties.size === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(required.length === 0 ? {} : { required: required.sort() }),
    };
    writeClassDeclarations(read, schema, (code, message) => this.#report('error', code, message, read));
    for (const property of onceSet) {
      const rule = onceSetRule(property.name);
      if (rule !== undefined) addRules(schema, [rule]);
      else {
        const message =
          '@Immutable(): CEL rules cannot name this property, so no rule can prevent its removal; make it required or rename it';
        this.#report('error', 'invalid-option', message, property);
      }
    }
    return schema;
  }

  #ofProperty(property: ApiProperty, owner: ApiClass, writer: Writer): SchemaOfProperty {
    const isStatus = property.says.some((declaration) => declaration.says === 'status');
    // The operator writes the status, and no validator checks it.
    const unchecked = isStatus || writer === 'operator' ? undefined : uncheckedDecorators(property, owner);
    if (unchecked !== undefined) this.#report('notice', 'inexact-constraint', unchecked, property);
    const schema = this.#ofType(property.type, isStatus ? 'operator' : writer, property);
    writeValue(property, property.type, schema, {
      writer: isStatus ? 'operator' : writer,
      ...(property.description === undefined ? {} : { description: property.description }),
      report: (level, code, message, isMinor) => this.#report(level, code, message, property, isMinor),
    });
    if (property.type.is === 'object') return nestedObject(property, schema, isStatus);
    if (property.defaultValue !== undefined) {
      schema.default = property.defaultValue;
      this.#checkUnique(schema, property);
    }
    return { schema, isRequired: property.isRequired };
  }

  /** The API server accepts a default with duplicate items, and then rejects every object that gets it. */
  #checkUnique(schema: StructuralSchema, property: ApiProperty): void {
    const node = new SchemaNode(schema);
    if (!node.reaches('listType')) return;
    const value = copyJson(schema.default);
    setDefaults(value, node);
    for (const error of duplicateItems(value, node)) {
      const message = `its default violates its own schema: item ${error.field} is a duplicate; remove it`;
      this.#report('error', 'invalid-default', message, property);
    }
  }

  #ofType(type: PropertyType, writer: Writer, property: ApiProperty): StructuralSchema {
    switch (type.is) {
      case 'values':
        return { type: typeOfValues(type.values), enum: [...type.values] };
      case 'array':
        return {
          type: 'array',
          items: this.#ofElements('items', type.items, type.element, writer, property),
          ...(type.minItems === undefined ? {} : { minItems: type.minItems }),
          ...(type.maxItems === undefined ? {} : { maxItems: type.maxItems }),
        };
      case 'map':
        return {
          type: 'object',
          additionalProperties: this.#ofElements('values', type.values, type.element, writer, property),
        };
      case 'object':
        return this.ofClass(type.class, writer);
      case 'embedded':
        return embeddedSchema(this.#ofEmbedded(type, writer, property), type.metadata);
      case 'builtIn':
        return changedSchema(this.#ofBuiltIn(type.type, property), type.changes);
      case 'conditions':
        return conditionsSchema();
      case 'intOrString':
        return intOrStringSchema();
      case 'quantity':
        return quantitySchema();
      case 'duration':
        return { type: 'string', pattern: durationPattern };
      case 'anyObject':
        return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      case 'anyValue':
        return { 'x-kubernetes-preserve-unknown-fields': true };
      case 'schemaless':
      case 'unknown':
        return {};
      default:
        return { type: type.is };
    }
  }

  #ofEmbedded(
    { class: ofClass, builtIn }: Extract<PropertyType, { is: 'embedded' }>,
    writer: Writer,
    property: ApiProperty,
  ): StructuralSchema | undefined {
    if (ofClass !== undefined) return this.ofClass(ofClass, writer);
    if (builtIn === undefined) return undefined;
    return changedSchema(this.#ofBuiltIn(builtIn, property), [{ is: 'omit', names: ['metadata'] }]);
  }

  #ofBuiltIn(type: BuiltInType, about: ApiProperty | ApiClass): StructuralSchema {
    const { schema, cuts } = type.schema();
    const [first] = cuts;
    if (first !== undefined) {
      const message = `${type.name} contains itself at ${cuts.join(', ')}, where the schema accepts any object`;
      this.#report('notice', 'inexact-constraint', message, about);
    }
    return schema;
  }

  #ofElements(
    word: 'items' | 'values',
    type: PropertyType,
    element: ApiValue | undefined,
    writer: Writer,
    property: ApiProperty,
  ): StructuralSchema {
    const schema = this.#ofType(type, writer, property);
    if (element !== undefined) {
      writeValue(element, type, schema, {
        writer,
        report: (level, code, message, isMinor) =>
          this.#report(level, code, `its ${word}: ${message}`, property, isMinor),
      });
    }
    return schema;
  }

  #report(
    level: Finding['level'],
    code: ErrorCode,
    message: string,
    about: ApiProperty | ApiClass,
    isMinor = false,
  ): void {
    const isProperty = 'className' in about;
    this.#findings.push({
      level,
      code,
      className: isProperty ? about.className : about.name,
      ...(isProperty ? { property: about.name } : {}),
      ...(about.location === undefined ? {} : { location: about.location }),
      message,
      ...(isMinor ? { isMinor } : {}),
    });
  }
}

/**
 * The syntax of Go's time.ParseDuration (src/time/format.go), except durations that overflow its 64 bits (about 292 years).
 */
const durationPattern = '^[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$';

/** A whole resource: the API server requires apiVersion and kind, and checks and keeps the metadata. */
function embeddedSchema(ofClass: StructuralSchema | undefined, metadata: boolean): StructuralSchema {
  const meta = metadata ? objectMetaSchema() : { type: 'object' };
  if (ofClass === undefined) {
    return {
      type: 'object',
      ...(metadata ? { properties: { metadata: meta } } : {}),
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
  }
  const properties = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: meta };
  return { ...ofClass, properties: { ...properties, ...ofClass.properties }, 'x-kubernetes-embedded-resource': true };
}

/**
 * A non-optional object is required if one of its properties is. Otherwise the API server adds it if it is missing
 * (`default: {}`), so that the defaults below it apply. An optional object is not added.
 */
function nestedObject(property: ApiProperty, schema: StructuralSchema, isStatus: boolean): SchemaOfProperty {
  const made = madeObject(schema);
  if (property.defaultValue !== undefined) {
    const isMade = made !== undefined && jsonEqual(property.defaultValue, defaultsBelow(schema));
    schema.default = isMade ? made : property.defaultValue;
    return { schema, isRequired: false };
  }
  if (isStatus) {
    if (made !== undefined && Object.keys(defaultsBelow(schema)).length > 0) schema.default = made;
    return { schema, isRequired: false };
  }
  if (!property.isRequired) return { schema, isRequired: false };
  if (made === undefined) return { schema, isRequired: true };
  schema.default = made;
  return { schema, isRequired: false };
}

const mayRefuseEmpty = ['x-kubernetes-validations', 'minProperties', 'enum', 'allOf', 'anyOf', 'oneOf', 'not'] as const;

/**
 * The default that creates an object from its defaults; undefined if the object has required values. Usually `{}`. The
 * API server checks a default against rules before it sets the defaults below it, so a rule about those needs them included.
 */
function madeObject(schema: StructuralSchema): Record<string, unknown> | undefined {
  if ((schema.required ?? []).length > 0) return undefined;
  if (mayRefuseEmpty.every((keyword) => schema[keyword] === undefined)) return {};
  const compiled = compileSchema({ type: 'object', properties: { value: schema } });
  return [{}, defaultsBelow(schema)].find((value) => compiled.validate({ value }).length === 0);
}

/** The object that the API server creates from `{}`. */
function defaultsBelow(schema: StructuralSchema): Record<string, unknown> {
  const made: [string, unknown][] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined) continue;
    const below = defaultsBelow(property);
    const isObject = Object.keys(below).length > 0 && typeof property.default === 'object';
    made.push([name, isObject ? { ...below, ...property.default } : property.default]);
  }
  return Object.fromEntries(made);
}

function typeOfValues(values: readonly unknown[]): string {
  if (values.every((value) => Number.isInteger(value))) return 'integer';
  return typeof values[0] as 'string' | 'number' | 'boolean';
}
