import {
  annotationBytesMax,
  isJsonObject,
  type JsonObject,
  jsonEscape,
  parseJson,
  valueAt,
  writableNumber,
} from '../apimachinery/index.ts';
import { compareObjects } from './compare-objects.ts';
import { fieldTypeOf } from './field-type.ts';
import type { OwnershipContext } from './ownership.ts';
import { PathSet } from './path-set.ts';
import { pathSetOf } from './paths-of-object.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const metadata = valueAt(object, 'metadata');
  const annotations = isJsonObject(metadata) ? valueAt(metadata, 'annotations') : undefined;
  return isJsonObject(annotations) ? annotations : undefined;
}

function lastAppliedOf(object: JsonObject): string | undefined {
  const annotations = annotationsOf(object);
  const value = annotations && valueAt(annotations, annotation);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Returns the paths that a client-side `kubectl apply` owned, by its annotation, and that nothing has changed since. A
 * server-side apply by "kubectl" may take them over without a conflict. Undefined if the annotation is missing or
 * invalid.
 */
export function pathsLastApplied(live: JsonObject, context: OwnershipContext): PathSet | undefined {
  const text = lastAppliedOf(live);
  if (text === undefined) return undefined;
  try {
    const lastApplied = parseJson(text);
    if (!isJsonObject(lastApplied) || lastApplied['apiVersion'] !== context.apiVersion) return undefined;
    const { modified, added, removed } = compareObjects(lastApplied, live, fieldTypeOf(context.schema));
    return pathSetOf(lastApplied, context.schema).difference(modified).difference(added).difference(removed);
  } catch {
    return undefined;
  }
}

/**
 * Returns the object with its last-applied annotation, if it has one, updated to the object of a server-side apply.
 * Drops the annotation if the annotations would become too large.
 */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const annotations = annotationsOf(object);
  if (annotations === undefined || lastAppliedOf(object) === undefined) return object;
  const updated: JsonObject = { ...annotations, [annotation]: encodeApplied(applied) };
  const bytes = Object.entries(updated).reduce((sum, [key, value]) => sum + Buffer.byteLength(`${key}${value}`), 0);
  if (bytes > annotationBytesMax) delete updated[annotation];
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), annotations: updated } };
}

/** Encodes JSON as Go does: sorted keys, HTML's special characters escaped, a newline at the end. */
function encodeApplied(applied: JsonObject): string {
  const annotations = annotationsOf(applied);
  let own = applied;
  if (annotations !== undefined) {
    const { [annotation]: _, ...rest } = annotations;
    const { annotations: __, ...metadata } = applied['metadata'] as JsonObject;
    own = { ...applied, metadata: Object.keys(rest).length === 0 ? metadata : { ...metadata, annotations: rest } };
  }
  return `${JSON.stringify(own, sortedKeys).replace(/[<>&\u2028\u2029]/g, jsonEscape)}\n`;
}

function sortedKeys(_: string, value: unknown): unknown {
  if (!isJsonObject(value)) return writableNumber(value);
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
