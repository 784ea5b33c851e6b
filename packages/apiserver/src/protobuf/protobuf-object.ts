import { badRequest } from '../request/refusal.ts';
import { type FieldType, type MessageField, messageFieldsOf } from './message-field.ts';
import { ProtobufReader } from './protobuf-reader.ts';

/** The envelope that every object in protobuf begins with. */
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
const depthMax = 200;

/**
 * Reads an object in Kubernetes' protobuf form as the JSON that it stands for. Requests of kubectl and of operators in Go
 * come like this for built-in kinds.
 *
 * A scalar that is zero is left out where Go's field is no pointer, as Go leaves it out of JSON.
 *
 * @throws StatusError 400 for what is no such object, or of a type that has no protobuf form.
 */
export function decodeProtobufObject(body: Uint8Array, kind: string): Record<string, unknown> {
  if (!magic.equals(body.subarray(0, magic.length))) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]`,
    );
  }
  try {
    const unknown = new ProtobufReader(body.subarray(magic.length));
    let apiVersion = '';
    let itsKind = '';
    let raw: Uint8Array = new Uint8Array();
    for (const { number, value } of unknown.fields()) {
      if (number === 1 && value instanceof Uint8Array) {
        for (const field of new ProtobufReader(value).fields()) {
          if (!(field.value instanceof Uint8Array)) continue;
          if (field.number === 1) apiVersion = text(field.value);
          if (field.number === 2) itsKind = text(field.value);
        }
      } else if (number === 2 && value instanceof Uint8Array) raw = value;
    }
    const definition = definitionOf(apiVersion, itsKind);
    if (messageFieldsOf(definition) === undefined) {
      throw badRequest(`${itsKind} of ${apiVersion} cannot be read from protobuf; send it as application/json`);
    }
    return { kind: itsKind, apiVersion, ...decodeMessage(raw, definition, 0) };
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(`the protobuf message is malformed: ${error.message}`);
    throw error;
  }
}

/** `io.k8s.api.apps.v1.Deployment` for a Deployment of `apps/v1`. */
function definitionOf(apiVersion: string, kind: string): string {
  if (kind.endsWith('Options')) return `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`;
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? 'core' : (apiVersion.slice(0, slash).split('.')[0] ?? '');
  return `io.k8s.api.${group}.${apiVersion.slice(slash + 1)}.${kind}`;
}

function decodeMessage(bytes: Uint8Array, definition: string, depth: number): Record<string, unknown> {
  if (depth > depthMax) throw new RangeError('it nests too deeply');
  const fields = messageFieldsOf(definition);
  const result: Record<string, unknown> = {};
  for (const { number, value } of new ProtobufReader(bytes).fields()) {
    const field = fields?.get(number);
    if (field !== undefined) setField(result, field, value, depth);
  }
  return result;
}

function setField(
  result: Record<string, unknown>,
  field: MessageField,
  value: bigint | number | Uint8Array,
  depth: number,
): void {
  const { type, name } = field;
  if (name === '') {
    if (type.kind === 'message' && value instanceof Uint8Array) {
      Object.assign(result, decodeMessage(value, type.definition, depth + 1));
    }
    return;
  }
  if (type.kind === 'list') {
    const list = (result[name] ?? []) as unknown[];
    list.push(decodeValue(value, type.element, depth));
    result[name] = list;
  } else if (type.kind === 'map') {
    const map = (result[name] ?? {}) as Record<string, unknown>;
    setEntry(map, value, type.element, depth);
    result[name] = map;
  } else {
    const decoded = decodeValue(value, type, depth);
    const isZero = decoded === 0 || decoded === '' || decoded === false || decoded === undefined;
    if (field.pointer ? decoded !== undefined : !isZero) result[name] = decoded;
  }
}

function setEntry(
  map: Record<string, unknown>,
  entry: bigint | number | Uint8Array,
  element: FieldType,
  depth: number,
): void {
  if (!(entry instanceof Uint8Array)) throw new RangeError('a map holds no entry');
  let key = '';
  let value: unknown;
  for (const field of new ProtobufReader(entry).fields()) {
    if (field.number === 1 && field.value instanceof Uint8Array) key = text(field.value);
    if (field.number === 2) value = decodeValue(field.value, element, depth);
  }
  Object.defineProperty(map, key, { value: value ?? '', enumerable: true, configurable: true, writable: true });
}

function decodeValue(value: bigint | number | Uint8Array, type: FieldType, depth: number): unknown {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return type.kind === 'boolean' ? value !== 0n : Number(BigInt.asIntN(64, value));
  switch (type.kind) {
    case 'string':
      return text(value);
    case 'bytes':
      return Buffer.from(value).toString('base64');
    case 'message':
      return decodeMessage(value, type.definition, depth + 1);
    case 'named-list':
      return [...new ProtobufReader(value).fields()].map((item) => decodeValue(item.value, type.element, depth + 1));
    case 'time':
    case 'micro-time':
      return decodeTime(value, type.kind === 'micro-time');
    case 'int-or-string':
      return decodeIntOrString(value);
    case 'quantity':
    case 'raw': {
      const [first] = [...new ProtobufReader(value).fields()].filter(({ number }) => number === 1);
      const content = first?.value instanceof Uint8Array ? text(first.value) : '';
      if (type.kind === 'quantity') return content;
      return content === '' ? undefined : parseRaw(content);
    }
    default:
      throw new RangeError(`a field holds what is no ${type.kind}`);
  }
}

function decodeTime(bytes: Uint8Array, micro: boolean): string | undefined {
  let seconds = 0n;
  let nanos = 0n;
  for (const { number, value } of new ProtobufReader(bytes).fields()) {
    if (number === 1 && typeof value === 'bigint') seconds = BigInt.asIntN(64, value);
    if (number === 2 && typeof value === 'bigint') nanos = BigInt.asIntN(32, value);
  }
  if (seconds === 0n && nanos === 0n) return undefined;
  const start = new Date(Number(seconds) * 1000);
  if (Number.isNaN(start.getTime())) throw new RangeError('a time is out of range');
  const whole = start.toISOString().slice(0, 19);
  return micro ? `${whole}.${String(nanos / 1000n).padStart(6, '0')}Z` : `${whole}Z`;
}

function decodeIntOrString(bytes: Uint8Array): number | string {
  let type = 0n;
  let integer = 0;
  let string = '';
  for (const { number, value } of new ProtobufReader(bytes).fields()) {
    if (number === 1 && typeof value === 'bigint') type = value;
    if (number === 2 && typeof value === 'bigint') integer = Number(BigInt.asIntN(32, value));
    if (number === 3 && value instanceof Uint8Array) string = text(value);
  }
  return type === 1n ? string : integer;
}

function parseRaw(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new RangeError('a raw value is no JSON');
  }
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
