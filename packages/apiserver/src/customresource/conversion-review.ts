import type { StatusError } from '@evenkeel/core';
import {
  aggregateMessage,
  copyJson,
  goQuote,
  isJsonObject,
  type JsonObject,
  jsonKindOf,
  stringifyJson,
  validateAnnotations,
  validateLabels,
} from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { refusal } from '../status/refusal.ts';

// The messages are those of apiextensions-apiserver's `pkg/apiserver/conversion/webhook_converter.go`.

const group = 'apiextensions.k8s.io';

/** The review versions that the server sends, in no order: the definition's order decides. */
const reviewVersions = ['v1', 'v1beta1'];

/** Returns the first known version that a webhook understands. */
export function reviewVersionOf(conversionReviewVersions: readonly string[]): string {
  const version = conversionReviewVersions.find((candidate) => reviewVersions.includes(candidate));
  if (version === undefined) throw plainError('no supported conversion review versions');
  return version;
}

export function conversionReview(
  version: string,
  uid: string,
  objects: readonly ApiObject[],
  desiredAPIVersion: string,
): string {
  return stringifyJson({
    kind: 'ConversionReview',
    apiVersion: `${group}/${version}`,
    request: { uid, desiredAPIVersion, objects },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  });
}

/** Returns the converted objects in a review. Throws Error, whose message the caller completes, if there are none. */
export function convertedObjectsIn(review: JsonObject, version: string, uid: string): readonly unknown[] {
  const { apiVersion = '', kind = '', response } = review;
  const expected = `${group}/${version}`;
  if (kind !== '' && apiVersion !== '' && (kind !== 'ConversionReview' || apiVersion !== expected)) {
    throw new Error(otherReview(String(apiVersion), String(kind), version));
  }
  if (response !== undefined && response !== null && !isJsonObject(response)) {
    throw cannotUnmarshal(response, 'ConversionReview.response', `${version}.ConversionResponse`);
  }
  const { uid: given = '', convertedObjects, result } = response ?? {};
  if (typeof given !== 'string') throw cannotUnmarshal(given, 'ConversionResponse.response.uid', 'types.UID');
  if (convertedObjects !== undefined && convertedObjects !== null && !Array.isArray(convertedObjects)) {
    throw cannotUnmarshal(convertedObjects, 'ConversionResponse.response.convertedObjects', '[]runtime.RawExtension');
  }
  // Upstream does not verify these in the older review.
  if (version === 'v1' && (kind === '' || apiVersion === '')) {
    const got = `${apiVersion === '' ? '/' : apiVersion}, Kind=${kind}`;
    throw new Error(`expected webhook response of ${expected}, Kind=ConversionReview, got ${got}`);
  }
  if (response === undefined || response === null) throw new Error('no response provided');
  if (version === 'v1' && given !== uid) {
    throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(given)}`);
  }
  const { status = '', message = '' } = isJsonObject(result) ? result : {};
  if (status !== 'Success') {
    throw new Error(message === '' ? `response.result.status was '${status}', not 'Success'` : String(message));
  }
  return (convertedObjects as readonly unknown[] | null | undefined) ?? [];
}

function otherReview(apiVersion: string, kind: string, version: string): string {
  const slash = apiVersion.lastIndexOf('/');
  const isKnown = (
    apiVersion.slice(0, slash) === group && reviewVersions.includes(apiVersion.slice(slash + 1))
      ? ['ConversionReview', 'Status']
      : apiVersion === 'v1'
        ? ['Status']
        : []
  ).includes(kind);
  if (isKnown) {
    const type = kind === 'Status' ? 'v1.Status' : `${apiVersion.slice(slash + 1)}.${kind}`;
    return `converting (${type}) to (${version}.ConversionReview): unknown conversion`;
  }
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
}

function cannotUnmarshal(value: unknown, field: string, type: string): Error {
  return new Error(`json: cannot unmarshal ${jsonKindOf(value)} into Go struct field ${field} of type ${type}`);
}

/**
 * Returns a webhook's object with the metadata of the original, except labels and annotations, which a webhook may change.
 * Throws StatusError 500 if it is not the original in the requested version.
 */
export function convertedObject(original: ApiObject, converted: unknown, apiVersion: string): ApiObject {
  if (converted === null) throw plainError('unexpected end of JSON input');
  if (!isJsonObject(converted)) {
    throw plainError(`json: cannot unmarshal ${jsonKindOf(converted)} into Go value of type map[string]interface {}`);
  }
  const what = `conversion webhook for ${kindOf(original)} returned`;
  if (textOf(converted['kind']) === '') {
    throw plainError(`Object 'Kind' is missing in '${stringifyJson(converted)}'`);
  }
  const given = textOf(converted['apiVersion']);
  if (given !== apiVersion) {
    const versions = `(expected ${apiVersion}, received ${given})`;
    throw plainError(`${what} invalid object at index 0: invalid groupVersion ${versions}`);
  }
  if (converted['kind'] !== original.kind) {
    const kinds = `(expected ${original.kind}, received ${textOf(converted['kind'])})`;
    throw plainError(`${what} invalid object at index 0: invalid kind ${kinds}`);
  }
  const { metadata } = converted;
  const members = isJsonObject(metadata) ? metadata : {};
  for (const [field, title] of identity) {
    const [before, after] = [textOf(original.metadata[field]), textOf(members[field])];
    if (before !== after) {
      throw plainError(`${what} invalid object: must have the same ${title}: ${before} != ${after}`);
    }
  }
  if (!isJsonObject(metadata)) throw plainError(`${what} invalid metadata: missing metadata in converted object`);
  const restored: JsonObject = { ...copyJson(original.metadata as unknown as JsonObject) };
  for (const field of ['labels', 'annotations'] as const) {
    const why = changeMap(field, metadata[field], restored);
    if (why !== undefined) throw plainError(`${what} invalid metadata: ${why}`);
  }
  return { ...copyJson(converted), metadata: restored } as unknown as ApiObject;
}

const identity = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

/** Sets the labels or annotations of a webhook's object. Returns the error if they are invalid. */
function changeMap(field: 'labels' | 'annotations', value: unknown, metadata: JsonObject): string | undefined {
  if (value === undefined || value === null) {
    delete metadata[field];
    return undefined;
  }
  if (!isJsonObject(value)) return `invalid metadata.${field} of type ${goTypeOf(value)} in converted object`;
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') {
      return `metadata.${field}[${key}] must be a string, but is ${goTypeOf(text)} in converted object`;
    }
  }
  const map = value as Record<string, string>;
  const before = metadata[field];
  if (stringifyJson(sorted(isJsonObject(before) ? before : {})) !== stringifyJson(sorted(map))) {
    const errors =
      field === 'labels' ? validateLabels(map, 'metadata.labels') : validateAnnotations(map, 'metadata.annotation');
    if (errors.length > 0) return aggregateMessage(errors);
  }
  metadata[field] = copyJson(value);
  return undefined;
}

function sorted(map: object): [string, unknown][] {
  return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Go's types of decoded JSON. */
function goTypeOf(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (value === null || value === undefined) return '<nil>';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function kindOf({ apiVersion, kind }: ApiObject): string {
  return `${apiVersion}, Kind=${kind}`;
}

/** An error that is no Status upstream has no reason. */
export function plainError(message: string): StatusError {
  return refusal(500, '', message);
}
