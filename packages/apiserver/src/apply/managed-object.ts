import type { ManagedFieldsEntry } from '@evenkeel/core';
import { type SchemaNode, schemaDefinition } from '@evenkeel/kinds/schemas';
import { isJsonObject, type JsonObject, setKey, valueAt } from '../apimachinery/index.ts';

/** Returns the object's `metadata.managedFields` without decoding them; undefined if there are none. */
export function managedFieldsOf(object: JsonObject): unknown {
  const metadata = valueAt(object, 'metadata');
  return isJsonObject(metadata) ? (valueAt(metadata, 'managedFields') ?? undefined) : undefined;
}

/** Returns the object with these managedFields, or without any; the same object if it has none and gets none. */
export function withManagedFields(object: JsonObject, entries: readonly ManagedFieldsEntry[] | undefined): JsonObject {
  const metadata = valueAt(object, 'metadata');
  if (entries === undefined) {
    if (!isJsonObject(metadata) || !Object.hasOwn(metadata, 'managedFields')) return object;
    const { managedFields: _, ...rest } = metadata;
    return { ...object, metadata: rest };
  }
  return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), managedFields: entries } };
}

/** Whether the object is stored. The initial object of a create has no uid yet. */
export function isStored(object: JsonObject): boolean {
  const metadata = valueAt(object, 'metadata');
  return isJsonObject(metadata) && Boolean(valueAt(metadata, 'uid'));
}

/**
 * Returns the initial object of a create of a custom resource. The first owner of anything in `spec` therefore also
 * owns `spec` itself.
 */
export function emptyCustomResource(apiVersion: string, kind: string): JsonObject {
  return { apiVersion, kind };
}

/**
 * Returns the initial object of a create of a built-in kind: the kind's Go struct before anything is set. It contains
 * empty structs, required fields, zero values that Go writes, and times, which are null. The schema shows all of them:
 * a struct has the default `{}`, a zero value has a default. Setting fields of these structs does not make anyone their
 * owner. Create it once per kind.
 */
export function emptyBuiltIn(apiVersion: string, kind: string, schema: SchemaNode): JsonObject {
  return { apiVersion, kind, ...emptyStruct(schema) };
}

const times = new Set(['io.k8s.apimachinery.pkg.apis.meta.v1.Time', 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime']);

/** Required fields that Go omits if they are empty, which the schema does not show. */
const omittedFields: Readonly<Record<string, string>> = {
  'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec': 'validationActions',
};

/** Optional fields that Go writes as null. The schema does not contain this information. */
const writtenFields: Readonly<Record<string, readonly string[]>> = {
  'io.k8s.api.authentication.v1.TokenRequestSpec': ['audiences', 'boundObjectRef'],
  'io.k8s.api.discovery.v1.EndpointSlice': ['endpoints', 'ports'],
  'io.k8s.api.rbac.v1.ClusterRole': ['rules'],
  'io.k8s.api.rbac.v1.Role': ['rules'],
};

function emptyStruct(schema: SchemaNode): JsonObject {
  const empty: JsonObject = {};
  const required = new Set([...(schema.required ?? []), ...(writtenFields[schema[schemaDefinition] ?? ''] ?? [])]);
  required.delete(omittedFields[schema[schemaDefinition] ?? ''] ?? '');
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
