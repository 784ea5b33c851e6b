import { goTypeOf, isInt64, isJsonObject, type JsonObject } from '../../apimachinery.ts';
import type { StructuralSchema } from '../../structural-schema.ts';
import { DeclaredList, DeclaredMap, DeclaredObject, KeyedList, PreservedValue, SetList } from './declared-value.ts';
import { EvaluationFault } from './fault.ts';
import { escapeFieldName, isReservedWord, unescapeFieldName } from './field-name.ts';
import { bytesOf, dateOf, dateTimeOf } from './format-data.ts';
import { parseFormatDuration } from './time.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
} from './type.ts';
import { CelDouble, type CelValue, intValue } from './value.ts';

/** `preserved` is data without a known type: part of the object, but invisible to expressions. */
export type DeclaredKind =
  | 'object'
  | 'map'
  | 'list'
  | 'bool'
  | 'int'
  | 'double'
  | 'string'
  | 'bytes'
  | 'date'
  | 'date-time'
  | 'duration'
  | 'int-or-string'
  | 'preserved';

const stringSchema: StructuralSchema = { type: 'string' };
const metadataSchema: StructuralSchema = {
  type: 'object',
  properties: { name: stringSchema, generateName: stringSchema },
};

/** A property of an object: its name and the type of its values. */
export interface Property {
  readonly name: string;
  readonly type: DeclaredType;
}

/**
 * A schema as expressions see it: the type that it declares, and the conversion of its JSON to values. All rules of the
 * schema may share it; parts are computed at their first use. Source: k8s.io/apiserver `pkg/cel/common/schemas.go`.
 */
export class DeclaredType {
  readonly kind: DeclaredKind;
  readonly schema: StructuralSchema;
  readonly celType: CelType;
  /** The type of list elements or of map values. */
  readonly element: DeclaredType | undefined;
  readonly #name: string;
  #properties: ReadonlyMap<string, DeclaredType> | undefined;
  #fields: ReadonlyMap<string, DeclaredType> | undefined;
  /** A cache of existing properties only, so that keys of the data cannot make it grow. */
  readonly #byField = new Map<string, Property>();

  private constructor(kind: DeclaredKind, schema: StructuralSchema, name: string, element?: DeclaredType) {
    this.kind = kind;
    this.schema = schema;
    this.#name = name;
    this.element = element;
    this.celType =
      kind === 'object' ? { ...objectType(name), declared: this } : celTypeOf(kind, element?.celType ?? dynType);
  }

  /**
   * The type that a structural schema declares. Its kind is `preserved` if expressions cannot see the data. `isRoot` is for
   * the schema of a whole resource, which implicitly has `apiVersion`, `kind`, `metadata.name` and `metadata.generateName`.
   */
  static of(schema: StructuralSchema, isRoot = false, name = 'selfType'): DeclaredType {
    if (schema['x-kubernetes-int-or-string'] === true) return new DeclaredType('int-or-string', schema, name);
    const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true;
    // The root may have no type if it preserves unknown fields.
    if (isResource && schema.type !== undefined) {
      return new DeclaredType('object', withObjectMeta(schema), name);
    }
    switch (schema.type) {
      case 'array':
        return DeclaredType.#container('list', schema, schema.items, name, '@idx');
      case 'object':
        if (typeof schema.additionalProperties === 'object') {
          return DeclaredType.#container('map', schema, schema.additionalProperties, name, '@elem');
        }
        return new DeclaredType('object', schema, name);
      default:
        return new DeclaredType(scalarKind(schema), schema, name);
    }
  }

  static #container(
    kind: 'list' | 'map',
    schema: StructuralSchema,
    elementSchema: StructuralSchema | undefined,
    name: string,
    suffix: string,
  ): DeclaredType {
    if (elementSchema === undefined) return new DeclaredType('preserved', schema, name);
    const element = DeclaredType.of(elementSchema, false, `${name}.${suffix}`);
    return element.kind === 'preserved'
      ? new DeclaredType('preserved', schema, name)
      : new DeclaredType(kind, schema, name, element);
  }

  /** The properties of an object by their names, including those that expressions cannot see. */
  get properties(): ReadonlyMap<string, DeclaredType> {
    this.#properties ??= new Map(
      Object.entries(this.schema.properties ?? {}).map(([name, schema]) => [
        name,
        DeclaredType.of(schema, false, `${this.#name}.${escapeFieldName(name) ?? name}`),
      ]),
    );
    return this.#properties;
  }

  /** The properties of an object that expressions can name, by their names in expressions. */
  get fields(): ReadonlyMap<string, DeclaredType> {
    this.#fields ??= new Map(
      [...this.properties].flatMap(([name, property]) => {
        const field = escapeFieldName(name);
        return field === undefined || property.kind === 'preserved' ? [] : [[field, property]];
      }),
    );
    return this.#fields;
  }

  /** The property for a field, by its name in expressions. */
  property(field: string): Property | undefined {
    const known = this.#byField.get(field);
    if (known !== undefined) return known;
    const name = unescapeFieldName(field);
    const type = name === undefined ? undefined : this.properties.get(name);
    if (name === undefined || type === undefined) return undefined;
    const property = { name, type };
    this.#byField.set(field, property);
    return property;
  }

  /** The type of a field, by its name in expressions. */
  field(name: string): DeclaredType | undefined {
    return this.fields.get(name) ?? (isReservedWord(name) ? this.fields.get(`__${name}__`) : undefined);
  }

  /**
   * The value of JSON that satisfies the schema. Lists, maps and objects are not copied; elements are converted when they
   * are read. Throws EvaluationFault if the JSON does not satisfy the schema.
   */
  fromJson(json: unknown): CelValue {
    switch (this.kind) {
      case 'string':
        if (typeof json === 'string') return json;
        break;
      case 'int':
        if (typeof json === 'number' && Number.isSafeInteger(json)) return json;
        break;
      case 'bool':
        if (typeof json === 'boolean') return json;
        break;
      default:
    }
    if (json === null || json === undefined) {
      if (this.schema.nullable === true) return null;
      throw new EvaluationFault('invalid data, got null for schema with nullable=false');
    }
    return this.#convert(json);
  }

  #convert(json: string | number | boolean | bigint | symbol | object): CelValue {
    switch (this.kind) {
      case 'object':
        return new DeclaredObject(objectOf(json), this);
      case 'map':
        return new DeclaredMap(objectOf(json), this.element ?? this);
      case 'list':
        if (Array.isArray(json)) return this.#list(json);
        throw new EvaluationFault('invalid data, expected an array for the provided schema with type=array');
      case 'int': {
        const exact = integerOf(json);
        if (exact !== undefined) return exact;
        throw new EvaluationFault(`invalid data, expected int, got ${goTypeOf(json)}`);
      }
      case 'double':
        if (typeof json === 'number' || typeof json === 'bigint') return new CelDouble(Number(json));
        throw new EvaluationFault(`invalid data, expected float, got ${goTypeOf(json)}`);
      case 'int-or-string': {
        const value = typeof json === 'string' ? json : integerOf(json);
        if (value !== undefined) return value;
        throw new EvaluationFault('invalid data, expected XIntOrString value to be either a string or integer');
      }
      case 'bool':
        throw new EvaluationFault(`invalid data, expected bool, got ${goTypeOf(json)}`);
      case 'preserved':
        return new PreservedValue(json);
      default:
        return this.#formatted(json);
    }
  }

  #list(json: readonly unknown[]): CelValue {
    const list = new DeclaredList(json, this.element ?? this);
    switch (this.schema['x-kubernetes-list-type']) {
      case 'set':
        return new SetList(list, json);
      case 'map':
        return new KeyedList(list, this.schema['x-kubernetes-list-map-keys'] ?? []);
      default:
        return list;
    }
  }

  #formatted(json: unknown): CelValue {
    if (typeof json !== 'string') {
      throw new EvaluationFault(`invalid data, expected string, got ${goTypeOf(json)}`);
    }
    switch (this.kind) {
      case 'duration': {
        const duration = parseFormatDuration(json);
        if (duration !== undefined) return duration;
        throw new EvaluationFault(`Invalid duration ${json}: unable to parse ${json} as duration`);
      }
      case 'date':
        return dateOf(json);
      case 'date-time':
        return dateTimeOf(json);
      case 'bytes':
        return bytesOf(json);
      default:
        return json;
    }
  }
}

function celTypeOf(kind: DeclaredKind, element: CelType): CelType {
  switch (kind) {
    case 'list':
      return listType(element);
    case 'map':
      return mapType(stringType, element);
    case 'bool':
      return boolType;
    case 'int':
      return intType;
    case 'double':
      return doubleType;
    case 'string':
      return stringType;
    case 'bytes':
      return bytesType;
    case 'date':
    case 'date-time':
      return timestampType;
    case 'duration':
      return durationType;
    default:
      return dynType;
  }
}

function scalarKind(schema: StructuralSchema): DeclaredKind {
  switch (schema.type) {
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      switch (schema.format) {
        case 'byte':
          return 'bytes';
        case 'date':
        case 'date-time':
        case 'duration':
          return schema.format;
        default:
          return 'string';
      }
    default:
      return 'preserved';
  }
}

/** The schema of a resource with the fields of every resource. */
function withObjectMeta(schema: StructuralSchema): StructuralSchema {
  const { properties = {} } = schema;
  const metadata = Object.hasOwn(properties, 'metadata') ? properties['metadata'] : undefined;
  const complete =
    properties['kind']?.type === 'string' &&
    properties['apiVersion']?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.['name']?.type === 'string' &&
    metadata.properties['generateName']?.type === 'string';
  if (complete) return schema;
  return {
    ...schema,
    properties: { ...properties, kind: stringSchema, apiVersion: stringSchema, metadata: metadataSchema },
  };
}

function objectOf(json: unknown): JsonObject {
  if (isJsonObject(json)) return json;
  throw new EvaluationFault('invalid data, expected a map for the provided schema with type=object');
}

function integerOf(json: unknown): number | bigint | undefined {
  return isInt64(json) ? intValue(BigInt(json)) : undefined;
}
