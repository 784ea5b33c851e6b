import { type SchemaNode, schemaDefinition } from '@evenkeel/kinds/schemas';
import { compareText, isJsonObject, type JsonObject, setKey } from '../apimachinery/index.ts';
import { type ApiObject, withSortedKeys } from './api-object.ts';

/**
 * Returns an object of a built-in type with its members in the order in which Go writes them: those of a struct in the order of
 * the schema's properties, those of a map sorted. JSON of an unknown schema stays as it is.
 */
export function inGoOrder(value: unknown, node: SchemaNode): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (node['x-kubernetes-preserve-unknown-fields'] === true) {
    return node[schemaDefinition] === anyJson ? withSortedKeys(value) : value;
  }
  if (Array.isArray(value)) {
    const { items } = node;
    return items === undefined || typeof value[0] !== 'object'
      ? value
      : value.map((item: unknown) => inGoOrder(item, items));
  }
  if (!isJsonObject(value)) return value;
  if (node.properties !== undefined) return structInOrder(value, node);
  return mapInOrder(value, typeof node.additionalProperties === 'object' ? node.additionalProperties : {});
}

function structInOrder(value: JsonObject, node: SchemaNode): JsonObject {
  const { properties = {} } = node;
  // The OpenAPI of JSONSchemaProps does not describe schemas below `items` and `additionalProperties`.
  const nodeOf = (name: string): SchemaNode | undefined => {
    const member = properties[name];
    return member?.[schemaDefinition]?.startsWith(schemaOrOther) === true ? { ...node, items: node } : member;
  };
  return withMembers(value, sortInOrder(Object.keys(value), properties), nodeOf);
}

/** Sorts names of members in place, in the order of a struct: unknown ones stay in their order, after the others. */
export function sortInOrder(names: string[], properties: object): string[] {
  if (names.length < 2) return names;
  const order = orderOf(properties);
  const last = order.size;
  return names.sort((a, b) => (order.get(a) ?? last) - (order.get(b) ?? last));
}

/** Returns a decoded struct with its members in order; their own members stay as they are. */
export function structMembersInOrder(
  value: Record<string, unknown>,
  properties: NonNullable<SchemaNode['properties']>,
): Record<string, unknown> {
  const names = Object.keys(value);
  const order = orderOf(properties);
  const isInOrder = names.every(
    (name, index) => index === 0 || (order.get(names[index - 1] ?? '') ?? 0) < (order.get(name) ?? 0),
  );
  if (isInOrder) return value;
  return Object.fromEntries(sortInOrder(names, properties).map((name) => [name, value[name]]));
}

function mapInOrder(value: JsonObject, member: SchemaNode): JsonObject {
  return withMembers(value, Object.keys(value).sort(compareText), () => member);
}

function withMembers(
  value: JsonObject,
  names: readonly string[],
  nodeOf: (name: string) => SchemaNode | undefined,
): JsonObject {
  const ordered: JsonObject = {};
  for (const name of names) setKey(ordered, name, inGoOrder(value[name], nodeOf(name) ?? {}));
  return ordered;
}

const anyJson = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON';
const schemaOrOther = `${anyJson}SchemaPropsOr`;
const orders = new WeakMap<object, ReadonlyMap<string, number>>();

function orderOf(properties: object): ReadonlyMap<string, number> {
  let order = orders.get(properties);
  if (order === undefined) {
    order = new Map(Object.keys(properties).map((name, index) => [name, index]));
    orders.set(properties, order);
  }
  return order;
}

const struct = (properties: Record<string, SchemaNode>): SchemaNode => ({ properties });
const structOf = (...names: readonly string[]): SchemaNode =>
  struct(Object.fromEntries(names.map((name) => [name, {}])));

/** The members of ObjectMeta in the order of its struct, for metadata without the schema of its kind. */
const objectMeta = struct({
  ...structOf('name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion', 'generation').properties,
  ...structOf('creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'labels', 'annotations')
    .properties,
  ownerReferences: { items: structOf('apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion') },
  finalizers: {},
  managedFields: {
    items: struct({
      ...structOf('manager', 'operation', 'apiVersion', 'time', 'fieldsType').properties,
      fieldsV1: { 'x-kubernetes-preserve-unknown-fields': true },
      subresource: {},
    }),
  },
});

/** Annotations in which a version keeps a field of upstream's internal type, of which upstream makes partial metadata. */
const annotationsOfVersion: ReadonlyMap<string, string> = new Map([
  ['apps/v1 DaemonSet', 'deprecated.daemonset.template.generation'],
]);

/** The metadata of an object without its other members, in the order in which Go writes ObjectMeta. */
export function metadataInGoOrder({ apiVersion, kind, metadata }: ApiObject): unknown {
  const annotation = annotationsOfVersion.get(`${apiVersion} ${kind}`);
  const { annotations = {}, ...others } = metadata;
  if (annotation === undefined || !Object.hasOwn(annotations, annotation)) return inGoOrder(metadata, objectMeta);
  const { [annotation]: _, ...internal } = annotations;
  return inGoOrder({ ...others, ...(Object.keys(internal).length > 0 && { annotations: internal }) }, objectMeta);
}
