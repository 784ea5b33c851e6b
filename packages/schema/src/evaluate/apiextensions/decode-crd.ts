import {
  childPath,
  type FieldError,
  forbidden,
  isJsonObject,
  type JsonObject,
  keyPath,
  requestBytesMax,
  setKey,
  typeInvalid,
  valueAt,
  withinReason,
} from '../apimachinery.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';

/** The result of the API server's decoder for the JSON of a definition. */
export interface DecodedDefinition {
  /** A copy in which every field has its type; fields of another type are omitted. */
  readonly crd: CustomResourceDefinition;
  /** All fields with values of the wrong JSON type. The API server reports only the first one, with status 400. */
  readonly errors: readonly FieldError[];
  /**
   * The paths of unknown fields for which the API server sends a warning. It drops those below `items` or
   * `additionalProperties` without a warning.
   */
  readonly unknownFields: readonly string[];
}

/** The maximal total length of the paths of unknown fields. */
const maxWarningLength = 64 * 1024;
/** How deep a schema may nest. The API server has no such limit, but no hand-written schema comes near it. */
const maxSchemaDepth = 500;

/**
 * Reads a definition from parsed JSON or YAML of any kind and size, as the API server's decoder does. Nulls count as
 * missing, or, in lists and maps, as empty. Unknown fields are dropped. The argument is not changed. Input that is larger
 * than a request to the API server may be, or nests too deeply, is rejected early. An object that appears in several places,
 * as with aliases in YAML, counts in each of them.
 */
export function decodeCustomResourceDefinition(value: unknown): DecodedDefinition {
  const decoder = new Decoder();
  try {
    const crd = decoder.decode(value, definition, '', '') ?? {};
    return { crd, errors: withinReason(decoder.errors), unknownFields: decoder.unknownFields };
  } catch (error) {
    if (!(error instanceof ExcessError)) throw error;
    return { crd: {}, errors: [error.fieldError], unknownFields: [] };
  }
}

/** Aborts the reading of input that is too large or too deep. */
class ExcessError extends Error {
  readonly fieldError: FieldError;

  constructor(fieldError: FieldError) {
    super(fieldError.detail);
    this.fieldError = fieldError;
  }
}

/** The type of a field, as Go's decoder accepts it. */
type Shape =
  | 'string'
  /** A string whose empty value counts as missing. */
  | 'text'
  | 'boolean'
  /** A boolean whose value false counts as missing. */
  | 'flag'
  | 'int32'
  /** An int32 whose value 0 counts as missing. */
  | 'count'
  | 'int64'
  | 'number'
  | 'bytes'
  | 'json'
  | 'schema'
  | 'schemaOrBoolean'
  | 'schemaOrList'
  | 'schemaOrNames'
  | { readonly list: Shape }
  | { readonly map: Shape }
  | Struct;

interface Struct {
  readonly fields: ReadonlyMap<string, Shape>;
}

const struct = (fields: { readonly [name: string]: Shape }): Struct => ({ fields: new Map(Object.entries(fields)) });
const strings: Shape = { list: 'string' };
const schemas: Shape = { list: 'schema' };
const namedSchemas: Shape = { map: 'schema' };

/** JSONSchemaProps (apiextensions-apiserver pkg/apis/apiextensions/v1/types_jsonschema.go). */
const schema = struct({
  id: 'text',
  $schema: 'text',
  $ref: 'string',
  description: 'text',
  type: 'text',
  format: 'text',
  title: 'text',
  default: 'json',
  maximum: 'number',
  exclusiveMaximum: 'flag',
  minimum: 'number',
  exclusiveMinimum: 'flag',
  maxLength: 'int64',
  minLength: 'int64',
  pattern: 'text',
  maxItems: 'int64',
  minItems: 'int64',
  uniqueItems: 'flag',
  multipleOf: 'number',
  enum: { list: 'json' },
  maxProperties: 'int64',
  minProperties: 'int64',
  required: strings,
  items: 'schemaOrList',
  allOf: schemas,
  oneOf: schemas,
  anyOf: schemas,
  not: 'schema',
  properties: namedSchemas,
  additionalProperties: 'schemaOrBoolean',
  patternProperties: namedSchemas,
  dependencies: { map: 'schemaOrNames' },
  additionalItems: 'schemaOrBoolean',
  definitions: namedSchemas,
  externalDocs: struct({ description: 'text', url: 'text' }),
  example: 'json',
  nullable: 'flag',
  'x-kubernetes-preserve-unknown-fields': 'boolean',
  'x-kubernetes-embedded-resource': 'flag',
  'x-kubernetes-int-or-string': 'flag',
  'x-kubernetes-list-map-keys': strings,
  'x-kubernetes-list-type': 'string',
  'x-kubernetes-map-type': 'string',
  'x-kubernetes-validations': {
    list: struct({
      rule: 'string',
      message: 'text',
      messageExpression: 'text',
      reason: 'string',
      fieldPath: 'text',
      optionalOldSelf: 'boolean',
    }),
  },
});

const names = struct({
  plural: 'string',
  singular: 'string',
  kind: 'string',
  listKind: 'string',
  shortNames: strings,
  categories: strings,
});

const version = struct({
  name: 'string',
  served: 'boolean',
  storage: 'boolean',
  deprecated: 'boolean',
  deprecationWarning: 'string',
  schema: struct({ openAPIV3Schema: 'schema' }),
  subresources: struct({
    status: struct({}),
    scale: struct({ specReplicasPath: 'string', statusReplicasPath: 'string', labelSelectorPath: 'string' }),
  }),
  additionalPrinterColumns: {
    list: struct({
      name: 'string',
      type: 'string',
      format: 'string',
      description: 'string',
      priority: 'count',
      jsonPath: 'string',
    }),
  },
  selectableFields: { list: struct({ jsonPath: 'string' }) },
});

const conversion = struct({
  strategy: 'string',
  webhook: struct({
    clientConfig: struct({
      url: 'string',
      service: struct({ name: 'string', namespace: 'string', path: 'string', port: 'int32' }),
      caBundle: 'bytes',
    }),
    conversionReviewVersions: strings,
  }),
});

const ownerReference = struct({
  apiVersion: 'string',
  kind: 'string',
  name: 'string',
  uid: 'string',
  controller: 'boolean',
  blockOwnerDeletion: 'boolean',
});

/** CustomResourceDefinition (apiextensions-apiserver pkg/apis/apiextensions/v1/types.go) with its ObjectMeta. */
const definition = struct({
  apiVersion: 'string',
  kind: 'string',
  metadata: struct({
    name: 'string',
    generateName: 'string',
    namespace: 'string',
    selfLink: 'string',
    uid: 'string',
    resourceVersion: 'string',
    generation: 'int64',
    creationTimestamp: 'string',
    deletionTimestamp: 'string',
    deletionGracePeriodSeconds: 'int64',
    labels: { map: 'string' },
    annotations: { map: 'string' },
    ownerReferences: { list: ownerReference },
    finalizers: strings,
    managedFields: { list: 'json' },
  }),
  spec: struct({
    group: 'string',
    names,
    scope: 'string',
    versions: { list: version },
    conversion,
    preserveUnknownFields: 'flag',
  }),
  status: struct({
    conditions: {
      list: struct({
        type: 'string',
        status: 'string',
        lastTransitionTime: 'string',
        reason: 'string',
        message: 'string',
        observedGeneration: 'int64',
      }),
    },
    acceptedNames: names,
    storedVersions: strings,
    observedGeneration: 'int64',
  }),
});

class Decoder {
  readonly errors: FieldError[] = [];
  readonly unknownFields: string[] = [];
  #bytes = 0;
  #schemaDepth = 0;
  #unknownLength = 0;
  /** Whether the current value is inside of a value with its own JSON decoder, in which Go does not detect unknown fields. */
  #isQuiet = false;

  decode<T>(value: unknown, shape: Shape, path: string, keys: string): T | undefined {
    return this.#value(value, shape, path, keys) as T | undefined;
  }

  /** `path` is the path for errors of fields; `keys` is the path for warnings about unknown fields. */
  #value(value: unknown, shape: Shape, path: string, keys: string): unknown {
    this.#count(value, path);
    if (value === null || value === undefined) return undefined;
    if (typeof shape === 'object') {
      if ('fields' in shape) return this.#struct(value, shape, path, keys);
      return 'list' in shape ? this.#list(value, shape.list, path, keys) : this.#map(value, shape.map, path, keys);
    }
    switch (shape) {
      case 'string':
        return typeof value === 'string' ? value : this.#refuse(path, value, 'a string');
      case 'text':
        if (typeof value !== 'string') return this.#refuse(path, value, 'a string');
        return value === '' ? undefined : value;
      case 'flag':
        if (typeof value !== 'boolean') return this.#refuse(path, value, 'a boolean');
        return value ? true : undefined;
      case 'bytes':
        return this.#base64(value, path);
      case 'boolean':
        return typeof value === 'boolean' ? value : this.#refuse(path, value, 'a boolean');
      case 'number':
        return typeof value === 'number' || typeof value === 'bigint' ? value : this.#refuse(path, value, 'a number');
      case 'count':
        if (!isIntegerWithin(value, 31n)) return this.#refuse(path, value, 'an integer');
        return Number(value) === 0 ? undefined : value;
      case 'int32':
      case 'int64':
        return isIntegerWithin(value, shape === 'int32' ? 31n : 63n) ? value : this.#refuse(path, value, 'an integer');
      case 'json':
        return this.#json(value, path);
      default:
        return this.#schema(value, shape, path, keys);
    }
  }

  #schema(value: unknown, shape: `schema${string}`, path: string, keys: string): unknown {
    if (shape === 'schema') return this.#oneSchema(value, path, keys);
    const wasQuiet = this.#isQuiet;
    this.#isQuiet = true;
    try {
      if (isJsonObject(value)) return this.#oneSchema(value, path, keys);
      if (shape === 'schemaOrBoolean') {
        return typeof value === 'boolean' ? value : this.#refuse(path, value, 'a boolean or a schema');
      }
      // Go reads any other value as empty.
      const list = Array.isArray(value) ? value : [];
      if (shape === 'schemaOrNames') return this.#list(list, 'string', path, keys);
      return this.#list(list, 'schema', path, keys);
    } finally {
      this.#isQuiet = wasQuiet;
    }
  }

  #oneSchema(value: unknown, path: string, keys: string): unknown {
    if (++this.#schemaDepth > maxSchemaDepth) {
      const root = /^.*?openAPIV3Schema/.exec(path)?.[0] ?? path;
      throw new ExcessError(forbidden(root, `must not nest deeper than ${maxSchemaDepth} levels`));
    }
    const decoded = this.#struct(value, schema, path, keys);
    this.#schemaDepth--;
    return decoded;
  }

  #struct(value: unknown, { fields }: Struct, path: string, keys: string): unknown {
    if (!isJsonObject(value)) return this.#refuse(path, value, 'an object');
    const decoded: JsonObject = {};
    for (const name of Object.keys(value)) {
      if (value[name] === undefined) continue;
      const shape = fields.get(name);
      this.#bytes += name.length;
      if (shape === undefined) {
        this.#count(null, path);
        if (!this.#isQuiet) this.#addUnknown(childPath(keys, name));
        continue;
      }
      const member = this.#value(valueAt(value, name), shape, childPath(path, name), childPath(keys, name));
      // Go omits empty lists and maps of a schema. Validation rejects dependencies, also empty ones.
      const isOmitted = fields === schema.fields && name !== 'dependencies' && isEmptyMember(member, shape);
      if (member !== undefined && !isOmitted) decoded[name] = member;
    }
    return decoded;
  }

  /** The API server also limits the length of warnings. */
  #addUnknown(path: string): void {
    this.#unknownLength += path.length;
    if (this.#unknownLength <= maxWarningLength) this.unknownFields.push(path);
  }

  #list(value: unknown, items: Shape, path: string, keys: string): unknown {
    if (!Array.isArray(value)) return this.#refuse(path, value, 'a list');
    return value.map(
      (item: unknown, i) => this.#value(item, items, keyPath(path, i), keyPath(keys, i)) ?? zeroOf(items),
    );
  }

  #map(value: unknown, values: Shape, path: string, keys: string): unknown {
    if (!isJsonObject(value)) return this.#refuse(path, value, 'an object');
    const decoded: JsonObject = {};
    for (const key of Object.keys(value)) {
      this.#bytes += key.length;
      const member = this.#value(valueAt(value, key), values, keyPath(path, key), childPath(keys, key));
      setKey(decoded, key, member ?? zeroOf(values));
    }
    return decoded;
  }

  /** A copy of any value, which may nest as deep as schemas may. */
  #json(value: unknown, path: string, depth = 0): unknown {
    if (depth > maxSchemaDepth) {
      throw new ExcessError(forbidden(path, `must not nest deeper than ${maxSchemaDepth} levels`));
    }
    if (depth > 0) this.#count(value, path);
    if (Array.isArray(value)) return value.map((item: unknown) => this.#json(item, path, depth + 1));
    if (!isJsonObject(value)) return value;
    const copy: JsonObject = {};
    for (const key of Object.keys(value)) {
      this.#bytes += key.length;
      setKey(copy, key, this.#json(valueAt(value, key), path, depth + 1));
    }
    return copy;
  }

  /** Go also accepts a list of numbers as bytes. */
  #base64(value: unknown, path: string): string | undefined {
    if (typeof value === 'string' && isBase64(value)) return value;
    if (!Array.isArray(value)) return this.#refuse(path, value, 'base64');
    for (const byte of value) {
      this.#count(byte, path);
      const isByte = byte === null || (Number.isInteger(byte) && byte >= 0 && byte <= 255);
      if (!isByte) return this.#refuse(path, value, 'base64');
    }
    return Buffer.from(value).toString('base64');
  }

  #refuse(path: string, value: unknown, expected: string): undefined {
    const shown = isJsonObject(value) ? 'an object' : Array.isArray(value) ? 'a list' : value;
    this.errors.push(typeInvalid(path, shown, `must be ${expected}`));
    return undefined;
  }

  /** Counts the approximate size of a value in JSON, without its members. */
  #count(value: unknown, path: string): void {
    this.#bytes += typeof value === 'string' ? value.length + 3 : 3;
    if (this.#bytes > requestBytesMax) {
      throw new ExcessError(forbidden(path, `must not be larger than ${requestBytesMax} bytes`));
    }
  }
}

function isEmptyMember(member: unknown, shape: Shape): boolean {
  if (typeof shape !== 'object' || 'fields' in shape) return false;
  return Array.isArray(member) ? member.length === 0 : isJsonObject(member) && Object.keys(member).length === 0;
}

/** The value of null in a list or map: Go's zero value. */
function zeroOf(shape: Shape): unknown {
  if (shape === 'schema' || (typeof shape === 'object' && 'fields' in shape)) return {};
  if (shape === 'schemaOrNames') return [];
  return shape === 'string' ? '' : null;
}

function isIntegerWithin(value: unknown, bits: bigint): boolean {
  if (typeof value === 'number' ? !Number.isInteger(value) : typeof value !== 'bigint') return false;
  const integer = BigInt(value as number | bigint);
  return integer >= -(1n << bits) && integer < 1n << bits;
}

function isBase64(text: string): boolean {
  const digits = text.replaceAll(/[\r\n]/g, '');
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits);
}
