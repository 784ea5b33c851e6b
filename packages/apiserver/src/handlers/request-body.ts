import type { GroupVersionKind } from '@evenkeel/core';
import {
  goJsonError,
  goQuote,
  type JsonObject,
  JsonRangeError,
  parseJson,
  requestBytesMax,
} from '../apimachinery/index.ts';
import { withSortedKeys } from '../kind/api-object.ts';
import { badRequest, entityTooLarge, unsupportedMediaType } from '../status/refusal.ts';
import { readCompactJson } from '../text/compact-json.ts';
import { duplicateKeys, tooDeepAt } from '../text/json-text.ts';
import { readYaml, type YamlText, YamlTextError } from '../text/yaml-text.ts';

/** A parsed body. */
export interface ParsedBody {
  readonly value: unknown;
  /** The strict decoding errors of the body's own syntax: duplicate keys. */
  readonly strictErrors: readonly string[];
  readonly text: string;
}

export const acceptedBodyTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** The body as a string. Throws 413 if it is too long. */
export function bodyText(body: string | Uint8Array | undefined): string {
  if (body === undefined) return '';
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  if (bytes > requestBytesMax) throw entityTooLarge(`limit is ${requestBytesMax}`);
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

/**
 * Parses a body of JSON, YAML or protobuf. Throws 415 for other types. Go decodes a custom resource into a map, in which each number
 * must be a float64 or an int64.
 */
export async function parseBody(
  body: string | Uint8Array | undefined,
  contentType: string | undefined,
  options: { readonly strict: boolean; readonly kind: string; readonly custom?: boolean },
): Promise<ParsedBody> {
  const mediaType = mediaTypeOf(contentType ?? '');
  const text = bodyText(body);
  if (mediaType === 'application/vnd.kubernetes.protobuf') {
    const { parseProtobufBody } = await import('./protobuf-body.ts');
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array());
    return { value: await parseProtobufBody(bytes, options.kind), strictErrors: [], text: '' };
  }
  if (mediaType === 'application/yaml') {
    const parsed = await parseYaml(text, (why) => unrecognizedText(options.kind, `${why} (${summarizeBody(text)})`));
    // Upstream converts it to JSON, with sorted keys, and decodes that.
    return { ...parsed, value: withSortedKeys(parsed.value ?? {}) };
  }
  if (mediaType !== 'application/json') throw unsupportedMediaType(acceptedBodyTypes);
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    const why = `invalid character '${deep}' exceeded max depth`;
    throw unrecognized(options.kind, `json parse error: ${why} (${summarizeBody(text)})`);
  }
  let value: unknown;
  try {
    value = parseJson(text, { allowsRange: options.custom !== true });
  } catch (error) {
    if (error instanceof JsonRangeError) {
      const value = Object(JSON.parse(text)) as JsonObject;
      throw badRequest(cannotHandle({ version: '', kind: options.kind }, value, error.message));
    }
    throw unrecognized(options.kind, `json parse error: ${goJsonError(text)} (${summarizeBody(text)})`);
  }
  const strictErrors = options.strict
    ? duplicateKeys(text, value).map((path) => `duplicate field ${goQuote(path)}`)
    : [];
  return { value, strictErrors, text };
}

/** The message for a body that cannot be decoded as the kind that its path expects. */
export function cannotHandle(
  expected: Pick<GroupVersionKind, 'version' | 'kind'>,
  value: JsonObject,
  why: string,
): string {
  const itsKind = typeof value['kind'] === 'string' && value['kind'] !== '' ? value['kind'] : expected.kind;
  const apiVersion = typeof value['apiVersion'] === 'string' ? value['apiVersion'] : '';
  const version = apiVersion === '' ? expected.version : (apiVersion.split('/').at(-1) ?? '');
  return `${itsKind} in version "${version}" cannot be handled as a ${expected.kind}: ${why}`;
}

/** The error of an apply whose body is not YAML. */
function undecodableApply(why: string): Error {
  return badRequest(`error decoding YAML: error converting YAML to JSON: ${why}`);
}

/** Parses a body that is known to be YAML, which includes JSON. `undecodable` creates the error; default: that of an apply. */
export async function parseYaml(
  text: string,
  undecodable: (why: string) => Error = undecodableApply,
): Promise<ParsedBody> {
  const value = readCompactJson(text);
  if (value !== undefined) return { value, strictErrors: [], text };
  let read: YamlText;
  try {
    read = await readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlTextError)) throw error;
    throw undecodable(error.message);
  }
  const { value: parsed, duplicates } = read;
  const strictErrors =
    duplicates.length === 0 ? [] : [`${yamlErrors}${duplicates.map((text) => `\n  ${text}`).join('')}`];
  return { value: parsed, strictErrors, text };
}

/** The media type of a header; empty if the header is invalid (Go's `mime.ParseMediaType`). */
function mediaTypeOf(contentType: string): string {
  if (contentType.trim() === '') return 'application/json';
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  if (parameters.at(-1) === '') parameters.pop();
  return parameters.every((parameter) => /^[^\s=]+=/.test(parameter)) ? type.toLowerCase() : '';
}

const yamlErrors = 'yaml: unmarshal errors:';

/** Warns about strict decoding errors; each line of a YAML error is a separate warning. */
export function warnOf(strictErrors: readonly string[], warn: (message: string) => void): void {
  for (const error of strictErrors) {
    const texts = error.startsWith(yamlErrors) ? error.slice(yamlErrors.length).trim().split(/\n\s*/) : [error];
    for (const text of texts) warn(text);
  }
}

export function unrecognized(kind: string, why: string): Error {
  return unrecognizedText(kind, `couldn't get version/kind; ${why}`);
}

/** The error for an object of a custom kind, which must have its kind. */
export function missingKind(
  names: Pick<GroupVersionKind, 'version' | 'kind'>,
  text: string,
  ignoresUnknown: boolean,
): Error {
  const why = `Object 'Kind' is missing in '${text}'`;
  // A decoder that is not strict also returns the default type with its error.
  if (ignoresUnknown) return badRequest(cannotHandle(names, {}, why));
  return unrecognizedText(names.kind, `${why} (${summarizeBody(text)})`);
}

function unrecognizedText(kind: string, why: string): Error {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
}

const shownMax = 30;

/** The start of a body, as messages quote it: text unchanged, anything else in hex (apiserver's `summarizeData`). */
export function summarizeBody(text: string): string {
  if (text === '') return '<empty>';
  const start = text.length > shownMax ? text.slice(0, shownMax) : text;
  const quoted = text.startsWith('{') ? start : Buffer.from(start).toString('hex');
  return text.length > shownMax ? `${quoted} ...` : quoted;
}
