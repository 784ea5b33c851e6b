import { ProtobufError, type ProtobufReader } from './protobuf-reader.ts';

/** The functions of the decoder that the types below need. */
export interface WellKnownContext {
  jsonSchemaProps(reader: ProtobufReader, name: string, depth: number): unknown;
}

type WellKnownDecoder = (message: ProtobufReader, depth: number, context: WellKnownContext) => unknown;

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Types whose JSON differs from their message, because Go methods write both. */
const decoders = new Map<string, WellKnownDecoder>([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', decodeQuantity],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', decodeIntOrString],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', decodeRawJson],
  [`${meta}.FieldsV1`, decodeRawJson],
  [`${meta}.Time`, (message) => decodeTime(message, false)],
  [`${meta}.MicroTime`, (message) => decodeTime(message, true)],
  [`${apiextensions}.JSON`, decodeRawJson],
  [`${apiextensions}.JSONSchemaPropsOrArray`, decodeSchemaOrArray],
  [`${apiextensions}.JSONSchemaPropsOrBool`, decodeSchemaOrBool],
  [`${apiextensions}.JSONSchemaPropsOrStringArray`, decodeSchemaOrStrings],
]);

/** Reads a field of such a type. Returns undefined for other types and does not read their field. */
export function decodeWellKnown(
  reader: ProtobufReader,
  name: string,
  definition: string | undefined,
  depth: number,
  context: WellKnownContext,
): { readonly value: unknown } | undefined {
  const decode = definition === undefined ? undefined : decoders.get(definition);
  if (definition === undefined || decode === undefined) return undefined;
  const message = reader.nested(name, definition.slice(definition.lastIndexOf('.') + 1));
  return { value: decode(message, depth, context) };
}

function decodeQuantity(message: ProtobufReader): string {
  let text = '0';
  while (message.next()) {
    if (message.field === 1) text = message.string('string');
    else message.skip();
  }
  return text;
}

function decodeIntOrString(message: ProtobufReader): number | string {
  let type = 0;
  let number = 0;
  let text = '';
  while (message.next()) {
    if (message.field === 1) type = message.int64('type');
    else if (message.field === 2) number = message.int32('intVal');
    else if (message.field === 3) text = message.string('strVal');
    else message.skip();
  }
  if (type !== 0 && type !== 1) throw new ProtobufError('impossible IntOrString.Type');
  return type === 0 ? number : text;
}

const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
/** Go's zero time: the first second of the year 1. */
const zeroSecond = -62_135_596_800;

function decodeTime(message: ProtobufReader, withFraction: boolean): string | null {
  let seconds: number | undefined;
  let nanoseconds = 0;
  while (message.next()) {
    if (message.field === 1) seconds = message.int64('seconds');
    else if (message.field === 2) nanoseconds = message.int32('nanos');
    else message.skip();
    seconds ??= 0;
  }
  if (seconds === undefined || seconds === zeroSecond) return null;
  if (seconds < zeroSecond || seconds > lastSecond) {
    throw new ProtobufError('Time.MarshalJSON: year outside of range [0,9999]');
  }
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  if (!withFraction) return `${text}Z`;
  const microseconds = Math.floor(Math.min(Math.max(nanoseconds, 0), 999_999_999) / 1000);
  return `${text}.${String(microseconds).padStart(6, '0')}Z`;
}

function decodeRawJson(message: ProtobufReader): unknown {
  let text = '';
  while (message.next()) {
    if (message.field === 1) text = message.string('raw');
    else message.skip();
  }
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ProtobufError('json: error calling MarshalJSON for type runtime.RawExtension: the raw data is not JSON');
  }
}

function decodeSchemaOrArray(message: ProtobufReader, depth: number, context: WellKnownContext): unknown {
  let schema: unknown = null;
  const schemas: unknown[] = [];
  while (message.next()) {
    if (message.field === 1) schema = context.jsonSchemaProps(message, 'schema', depth + 1);
    else if (message.field === 2) schemas.push(context.jsonSchemaProps(message, 'jSONSchemas', depth + 1));
    else message.skip();
  }
  return schemas.length > 0 ? schemas : schema;
}

function decodeSchemaOrBool(message: ProtobufReader, depth: number, context: WellKnownContext): unknown {
  let allows = false;
  let schema: unknown;
  while (message.next()) {
    if (message.field === 1) allows = message.boolean('allows');
    else if (message.field === 2) schema = context.jsonSchemaProps(message, 'schema', depth + 1);
    else message.skip();
  }
  return schema ?? allows;
}

function decodeSchemaOrStrings(message: ProtobufReader, depth: number, context: WellKnownContext): unknown {
  let schema: unknown = null;
  const strings: string[] = [];
  while (message.next()) {
    if (message.field === 1) schema = context.jsonSchemaProps(message, 'schema', depth + 1);
    else if (message.field === 2) strings.push(message.string('property'));
    else message.skip();
  }
  return strings.length > 0 ? strings : schema;
}
