import type { ManagedFieldsEntry } from '@evenkeel/core';
import { type SchemaNode, schemaDefinition } from '@evenkeel/kinds/schemas';
import { isJsonObject, type JsonObject, setKey, valueAt } from '../apimachinery/index.ts';

/** The object's `metadata.managedFields`, unread: undefined where there are none. */
export function managedFieldsOf(object: JsonObject): unknown {
  const metadata = valueAt(object, 'metadata');
  return isJsonObject(metadata) ? (valueAt(metadata, 'managedFields') ?? undefined) : undefined;
}

/** The object with these managedFields, or without any; itself where that is what it has. */
export function withManagedFields(object: JsonObject, entries: readonly ManagedFieldsEntry[] | undefined): JsonObject {
  const metadata = valueAt(object, 'metadata');
  if (entries === undefined) {
    if (!isJsonObject(metadata) || !Object.hasOwn(metadata, 'managedFields')) return object;
    const { managedFields: _, ...rest } = metadata;
    return { ...object, metadata: rest };
  }
  return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), managedFields: entries } };
}

/** Whether the object is stored: a create's counterpart has no uid yet. */
export function isStored(object: JsonObject): boolean {
  const metadata = valueAt(object, 'metadata');
  return isJsonObject(metadata) && Boolean(valueAt(metadata, 'uid'));
}

/**
 * What a create of a custom resource starts from. The first owner of anything in `spec` then owns `spec` itself too.
 */
export function emptyCustomResource(apiVersion: string, kind: string): JsonObject {
  return { apiVersion, kind };
}

/**
 * What a create of a built-in kind starts from: the kind's Go struct before anything is set. Structs are there, empty, and
 * so are required fields, zero values that are written out, and times, which are null. All of that shows in the schema: a
 * struct by its default `{}`, a zero value by a default. Nobody comes to own those structs by filling them. Make it once
 * per kind.
 */
export function emptyBuiltIn(apiVersion: string, kind: string, schema: SchemaNode): JsonObject {
  return { apiVersion, kind, ...emptyStruct(schema) };
}

const times = new Set(['io.k8s.apimachinery.pkg.apis.meta.v1.Time', 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime']);

function emptyStruct(schema: SchemaNode): JsonObject {
  const empty: JsonObject = {};
  const required = new Set(schema.required);
  for (const [name, node] of Object.entries(schema.properties ?? {})) {
    const isStruct = isJsonObject(node.default) && node.properties !== undefined;
    const isZero = node.default === '' || node.default === 0 || node.default === false;
    if (isStruct) setKey(empty, name, emptyStruct(node));
    else if (required.has(name) || isZero || times.has(node[schemaDefinition] ?? '')) {
      setKey(empty, name, node.default ?? null);
    }
  }
  return empty;
}
