import { type SchemaNode, schemaDefinition } from '@evenkeel/kinds/schemas';
import {
  Base64Error,
  compareText,
  decodeBase64,
  floatSourceOf,
  formatQuantity,
  isJsonObject,
  isNumeric,
  type JsonObject,
  jsonKindOf,
  numberOf,
  parseQuantity,
  quantityFormatMessage,
  readQuantity,
  stringifyJson,
} from '../apimachinery/index.ts';
import { sortInOrder, structMembersInOrder } from './go-order.ts';
import { DecodingError } from './object-codec.ts';

/**
 * Decodes JSON as Go's decoder does for the type that a schema describes. Unknown fields are dropped and reported.
 * Nulls and empty collections of optional fields count as absent. Structs and required fields are always present.
 * Strings, numbers and booleans that Go omits if they are zero count as absent if they are.
 */
export class TypedDecoder {
  /** Paths of unknown fields, in the order of the object. */
  readonly unknownFields: string[] = [];
  readonly #sourceOf: typeof floatSourceOf;
  readonly #converts: boolean;
  #mismatch: DecodingError | undefined;

  /**
   * `readsText`: whether the JSON was read from a text, so that numbers such as `1.0` are no integers. `converts`: whether the value
   * is the result of an apply or a strategic patch, which Go converts instead of decoding it, with other messages. Default of both: false.
   */
  constructor({ readsText = false, converts = false } = {}) {
    this.#sourceOf = readsText || converts ? floatSourceOf : () => undefined;
    this.#converts = converts;
  }

  /**
   * Decodes a struct. Throws {@link DecodingError} with Go's message if a value has another type than the schema's. As in Go, the
   * first error of a type with a decoder of its own (a quantity, a time, an int or string) ends the decoding, and other types
   * that do not fit are reported only if there is no such error.
   */
  struct(value: unknown, node: SchemaNode): Record<string, unknown> {
    const result = this.#struct(value, node, '', 0);
    if (this.#mismatch !== undefined) throw this.#mismatch;
    return result;
  }

  #struct(value: unknown, node: SchemaNode, path: string, depth: number): Record<string, unknown> {
    if (depth > depthMax) throw new DecodingError('exceeded max depth');
    const properties = node.properties ?? {};
    const type = goTypeName(node);
    if (!isJsonObject(value)) return this.#refuse(value, { struct: type, path }, goType(node)) ?? {};
    const result: Record<string, unknown> = {};
    const embedding = embedded.get(type);
    const names = Object.keys(value);
    // A conversion follows the struct, and then looks for members that it has not used.
    if (this.#converts) sortInOrder(names, properties);
    for (const name of names) {
      const child = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (child === undefined) {
        this.unknownFields.push(joined(path, name).replaceAll(embeddedInPath, ''));
        continue;
      }
      const at = joined(path, embedding === undefined ? name : `${embeddedStructs(embedding, name)}${name}`);
      const place = { struct: type, path: at, source: this.#sourceOf(value, name) };
      const decoded = this.#value(value[name], child, place, depth + 1);
      if (decoded !== undefined && !(child['x-go-omitempty'] === true && isZero(decoded))) result[name] = decoded;
    }
    for (const name of writtenAlways.get(node[schemaDefinition] ?? '') ?? []) {
      // An empty list makes its writer the owner of the field, and null does not.
      const given = value[name];
      if (Array.isArray(given) && given.length === 0) result[name] = [];
    }
    if (type === 'ObjectMeta' && resetsManagers(value) && (path === '' || path === 'metadata'))
      result['managedFields'] = [];
    return structMembersInOrder(this.#withAbsent(result, node, depth), properties);
  }

  /** Adds the missing members that a Go struct always has, and drops empty collections that Go would not write. */
  #withAbsent(result: Record<string, unknown>, node: SchemaNode, depth: number): Record<string, unknown> {
    for (const name of absentMembersOf(node)) {
      if (result[name] !== undefined) continue;
      const child = node.properties?.[name];
      if (child === undefined) continue;
      if (isJsonObject(child.default) && child.properties !== undefined) {
        result[name] = this.#struct({}, child, name, depth + 1);
      } else {
        const zero = child.default ?? null;
        if (zero !== null) result[name] = zero;
        else if (child.type === 'array' || child.type === 'object') result[name] = null;
      }
    }
    return result;
  }

  /** What an error of a type with a decoder of its own names: nothing if Go converts. */
  #placeOf(at: Place): Place {
    return this.#converts ? { struct: '', path: '' } : at;
  }

  /** A conversion only has the value of a number. */
  #writtenAs({ source }: Place): string | undefined {
    return this.#converts ? undefined : source;
  }

  /** Keeps the first mismatch. */
  #refuse(value: unknown, at: Place, type: string, showNumber = false): undefined {
    if (this.#converts) throw new DecodingError(conversionError(value, type, at.source !== undefined));
    this.#mismatch ??= mismatchAt(value, at, type, showNumber);
  }

  #value(value: unknown, node: SchemaNode, at: Place, depth: number): unknown {
    if (value === null || value === undefined) return undefined;
    if (node['x-kubernetes-preserve-unknown-fields'] === true) return value;
    const definition = node[schemaDefinition];
    if (node['x-kubernetes-int-or-string'] === true) {
      if (typeof value === 'string' || (this.#writtenAs(at) === undefined && isInteger(value, 'int32'))) return value;
      throw mismatchAt(value, this.#placeOf(at), 'int32', isNumeric(value));
    }
    if (definition?.endsWith('.resource.Quantity') === true) return quantity(value, this.#writtenAs(at));
    switch (node.type) {
      case 'string':
        return this.#string(value, node, at);
      case 'boolean':
        return typeof value === 'boolean' ? value : this.#refuse(value, at, 'bool');
      case 'integer':
        if (this.#writtenAs(at) === undefined && isInteger(value, node.format)) return value;
        if (this.#converts && (typeof value === 'bigint' || Number.isInteger(value))) {
          return convertedInteger(value as number | bigint, node.format);
        }
        return this.#refuse(value, at, goType(node), isNumeric(value));
      case 'number':
        return Number.isFinite(Number(value)) && isNumeric(value)
          ? Number(value)
          : this.#refuse(value, at, 'float64', isNumeric(value));
      case 'array':
        return this.#list(value, node, at, depth);
      default:
        break;
    }
    if (node.properties !== undefined) {
      if (!isJsonObject(value)) return this.#refuse(value, at, goType(node));
      return this.#struct(value, node, at.path, depth);
    }
    if (typeof node.additionalProperties === 'object') return this.#map(value, node.additionalProperties, at, depth);
    return value;
  }

  #list(value: unknown, node: SchemaNode, at: Place, depth: number): unknown {
    const items = node.items ?? {};
    if (!Array.isArray(value)) return this.#refuse(value, at, goType(node));
    if (value.length === 0) return undefined;
    return value.map((item: unknown, index) => {
      const place = { struct: at.struct, path: `${at.path}[${index}]`, source: this.#sourceOf(value, index) };
      if (item === null && items.properties !== undefined) return this.#struct({}, items, place.path, depth + 1);
      return this.#value(item, items, place, depth + 1) ?? zeroOf(items);
    });
  }

  #map(value: unknown, values: SchemaNode, at: Place, depth: number): unknown {
    if (!isJsonObject(value)) return this.#refuse(value, at, `map[string]${goType(values)}`);
    const members = Object.keys(value).map((key): [string, unknown] => {
      // Go names the map's field, not the key.
      const path = values.properties === undefined ? at.path : `${at.path}.${key}`;
      const place = { struct: at.struct, path, source: this.#sourceOf(value, key) };
      return [key, this.#value(value[key], values, place, depth + 1) ?? zeroOf(values)];
    });
    if (members.length === 0) return undefined;
    return Object.fromEntries(members.sort(([one], [other]) => compareText(one, other)));
  }

  /** Go also decodes a list of numbers into bytes. */
  #bytes(value: readonly unknown[], at: Place): unknown {
    for (const byte of value) {
      if (byte === null || (isInteger(byte, undefined) && Number(byte) >= 0 && Number(byte) < 256)) continue;
      return this.#refuse(byte, at, 'uint8', isNumeric(byte));
    }
    return Buffer.from(value.map(Number)).toString('base64');
  }

  #string(value: unknown, node: SchemaNode, at: Place): unknown {
    if (node.format === 'date-time') return decodeTime(value, node, this.#placeOf(at));
    if (node.format === 'byte' && Array.isArray(value) && !this.#converts) return this.#bytes(value, at);
    if (typeof value !== 'string') return this.#refuse(value, at, goType(node));
    if (node.format !== 'byte') return value;
    try {
      return canonicalBase64(value);
    } catch (error) {
      if (!(error instanceof Base64Error)) throw error;
      if (this.#converts) throw new DecodingError(`error decoding from json: ${error.message}`);
      this.#mismatch ??= new DecodingError(error.message);
      return undefined;
    }
  }
}

/** The nesting limit. No built-in type reaches it; it keeps hostile bodies from exhausting the stack. */
const depthMax = 500;

interface Place {
  /** The Go type of the innermost struct. */
  readonly struct: string;
  readonly path: string;
  /** The number as written, if it is written as a float. */
  readonly source?: string | undefined;
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Marks the name of an embedded struct in a path, which only messages about types contain. */
const embeddedMark = '\u0001';
const embeddedInPath = new RegExp(`${embeddedMark}\\w+\\.`, 'g');

interface Embedding {
  /** The embedded struct. */
  readonly struct: string;
  /** Its fields, or those of the outer struct: the shorter list. */
  readonly fields: readonly string[];
  readonly lists: 'inner' | 'outer';
}

const inner = (struct: string, ...fields: readonly string[]): Embedding => ({ struct, fields, lists: 'inner' });
const outer = (struct: string, ...fields: readonly string[]): Embedding => ({ struct, fields, lists: 'outer' });
const reference = inner('LocalObjectReference', 'name');
const device = inner('DeviceConfiguration', 'opaque');
const ruleFields = ['apiGroups', 'apiVersions', 'resources', 'scope'];
const volumeFields = ['capacity', 'accessModes', 'claimRef', 'persistentVolumeReclaimPolicy', 'storageClassName'];
const laterVolumeFields = ['mountOptions', 'volumeMode', 'nodeAffinity', 'volumeAttributesClassName'];

/** The structs that Go's structs embed. Source: `json:",inline"` in k8s.io/api. */
const embedded: ReadonlyMap<string, Embedding> = new Map([
  ...['SecretProjection', 'ConfigMapProjection', 'ConfigMapVolumeSource', 'ConfigMapKeySelector', 'SecretKeySelector']
    .concat(['ConfigMapEnvSource', 'SecretEnvSource'])
    .map((struct): [string, Embedding] => [struct, reference]),
  ...['DeviceClaimConfiguration', 'DeviceAllocationConfiguration', 'DeviceClassConfiguration'].map(
    (struct): [string, Embedding] => [struct, device],
  ),
  ['Probe', inner('ProbeHandler', 'exec', 'httpGet', 'tcpSocket', 'grpc')],
  ['IngressRule', inner('IngressRuleValue', 'http')],
  ['NamedRuleWithOperations', inner('RuleWithOperations', 'operations', ...ruleFields)],
  ['RuleWithOperations', inner('Rule', ...ruleFields)],
  ['Volume', outer('VolumeSource', 'name')],
  ['EphemeralContainer', outer('EphemeralContainerCommon', 'targetContainerName')],
  ['PersistentVolumeSpec', outer('PersistentVolumeSource', ...volumeFields, ...laterVolumeFields)],
]);

/** The marked names of the embedded structs that contain a field. */
function embeddedStructs({ struct, fields, lists }: Embedding, field: string): string {
  if (fields.includes(field) !== (lists === 'inner')) return '';
  const next = embedded.get(struct);
  return `${embeddedMark}${struct}.${next === undefined ? '' : embeddedStructs(next, field)}`;
}

/** Whether the metadata of an object asks to forget its field managers, which missing managedFields do not. */
function resetsManagers({ managedFields }: JsonObject): boolean {
  return Array.isArray(managedFields) && managedFields.length === 0;
}

/** Lists that Go writes even if they are nil. */
const writtenAlways = new Map([
  ['io.k8s.api.rbac.v1.Role', ['rules']],
  ['io.k8s.api.rbac.v1.ClusterRole', ['rules']],
  ['io.k8s.api.core.v1.LimitRangeSpec', ['limits']],
  ['io.k8s.api.discovery.v1.EndpointSlice', ['endpoints', 'ports']],
]);

const absentMembers = new WeakMap<SchemaNode, readonly string[]>();

/**
 * Returns the members that are written even if they were not set: structs that are not pointers, and required fields.
 */
function absentMembersOf(node: SchemaNode): readonly string[] {
  let members = absentMembers.get(node);
  if (members === undefined) {
    const definition = node[schemaDefinition] ?? '';
    const required = new Set([...(node.required ?? []), ...(writtenAlways.get(definition) ?? [])]);
    members = Object.entries(node.properties ?? {})
      .filter(([name, child]) => (isJsonObject(child.default) && child.properties !== undefined) || required.has(name))
      .map(([name]) => name);
    absentMembers.set(node, members);
  }
  return members;
}

/** Whether Go decodes a number into the integer of a format. A `number` beyond 2^53 has been written as a float. */
function isInteger(value: unknown, format: string | undefined): boolean {
  if (format === 'int64') return typeof value === 'bigint' || Number.isSafeInteger(value);
  return Number.isInteger(value) && ((value as number) | 0) === value;
}

/** Go's conversion on amd64: it drops the digits that do not fit, and makes the smallest int64 of a float beyond the largest one. */
function convertedInteger(value: number | bigint, format: string | undefined): number | bigint {
  const exact = BigInt(value);
  const int64 = BigInt.asIntN(64, exact) === exact ? exact : -(2n ** 63n);
  return numberOf(BigInt.asIntN(format === 'int64' ? 64 : 32, int64));
}

/** Times in the format of the server, on days that every month has. Other times, which are rare, are parsed. */
const writtenTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

function decodeTime(value: unknown, node: SchemaNode, at: Place): unknown {
  if (typeof value !== 'string') throw mismatchAt(value, at, goType(node));
  const fraction = node[schemaDefinition]?.endsWith('.MicroTime') === true;
  if (writtenTime.test(value) && !fraction) return value;
  if (Number.isNaN(Date.parse(value)) || !/^\d{4}-\d\d-\d\dT/.test(value)) {
    const layout = fraction ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00';
    throw new DecodingError(
      `parsing time ${timeQuote(value)} as "${layout}": cannot parse ${timeQuote(value)} as "2006"`,
    );
  }
  return fraction ? microTime(value) : `${new Date(value).toISOString().slice(0, 19)}Z`;
}

/** A text as Go's `time` package quotes it: other characters than those of ASCII as the hexadecimal numbers of their bytes. */
function timeQuote(text: string): string {
  const shown = [...Buffer.from(text)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`;
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${shown.join('')}"`;
}

/** Bytes as Go writes them: without line breaks, and with zeros as the unused bits of the last character. */
function canonicalBase64(value: string): string {
  return decodeBase64(value).toString('base64');
}

/** Formats a time in UTC with microseconds, as MicroTime is written. */
function microTime(value: string): string {
  const digits = /\.(\d+)/.exec(value)?.[1] ?? '';
  return `${new Date(value).toISOString().slice(0, 19)}.${digits.padEnd(6, '0').slice(0, 6)}Z`;
}

function quantity(value: unknown, source: string | undefined): string {
  const text = typeof value === 'string' ? value : (source ?? stringifyJson(value));
  const parsed = parseQuantity(text);
  if (parsed === undefined) {
    const why = readQuantity(text);
    throw new DecodingError(typeof why === 'string' ? why : quantityFormatMessage);
  }
  return formatQuantity(parsed);
}

function isZero(value: unknown): boolean {
  return value === 0 || value === false || value === '';
}

function zeroOf(node: SchemaNode): unknown {
  if (node.type === 'string') return '';
  if (node.type === 'integer' || node.type === 'number') return 0;
  return node.type === 'boolean' ? false : null;
}

function goTypeName(node: SchemaNode): string {
  const definition = node[schemaDefinition] ?? '';
  return definition.slice(definition.lastIndexOf('.') + 1);
}

/** Returns the Go type that a message contains: `int32`, `v1.PodSpec`, `[]v1.Container`. */
function goType(node: SchemaNode): string {
  const definition = node[schemaDefinition];
  if (definition !== undefined && node.properties !== undefined) return definition.split('.').slice(-2).join('.');
  switch (node.type) {
    case 'integer':
      return node.format === 'int64' ? 'int64' : 'int32';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'array':
      return node.format === 'byte' ? '[]uint8' : `[]${goType(node.items ?? {})}`;
    case 'object':
      return typeof node.additionalProperties === 'object'
        ? `map[string]${goType(node.additionalProperties)}`
        : 'map[string]interface {}';
    default:
      return node.format === 'byte' ? '[]uint8' : 'string';
  }
}

/** Source: `fromUnstructured`, apimachinery `pkg/runtime/converter.go`. */
function conversionError(value: unknown, type: string, isFloat: boolean): string {
  const given = isFloat ? 'float64' : goKindOf(value);
  if (type.startsWith('map[')) return `cannot restore map from ${given}`;
  if (type.startsWith('[]')) return `cannot restore slice from ${given}`;
  // Only structs have a package in their name.
  if (type.includes('.')) return `cannot restore struct from: ${given}`;
  const isNumber = given === 'int64' || given === 'float64';
  const converts = isNumber && (/^int|^float/.test(type) || (given === 'int64' && type === 'string'));
  return converts ? `cannot convert ${given} to ${type}` : `unrecognized type: ${type}`;
}

function goKindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map';
}

/** As the client probably wrote it: all digits of an integer, even if it is too large for an int64. */
function digitsOf(value: unknown): string {
  return String(Number.isInteger(value) ? BigInt(value as number) : value);
}

function mismatchAt(value: unknown, { struct, path, source }: Place, type: string, showNumber = false): DecodingError {
  const kind = jsonKindOf(value);
  const field = path.replaceAll(/\[\d+\]/g, '').replaceAll(embeddedMark, '');
  const shown = showNumber ? `${kind} ${source ?? digitsOf(value)}` : kind;
  const where = field === '' ? 'value' : `struct field ${struct}.${field}`;
  return new DecodingError(`json: cannot unmarshal ${shown} into Go ${where} of type ${type}`);
}
