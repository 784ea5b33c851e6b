import {
  type ApiResource,
  isMetadataClass,
  type KindClass,
  type KubernetesObject,
  type Metadata,
  type MetadataClass,
  resourceOf,
  type ServedObject,
} from '@evenkeel/core';

/** An object without a class. Its fields other than the metadata are `unknown`; parse them where you read them. */
export interface UnstructuredObject extends KubernetesObject {
  [field: string]: unknown;
}

/**
 * A kind in a request: its class, `Metadata(Class)` for only the metadata, or an {@link ApiResource} for a kind without
 * a class.
 */
export type RequestedKind = KindClass | MetadataClass | ApiResource;

/** The type of the objects of a {@link RequestedKind}. */
export type ObjectOf<K extends RequestedKind> =
  K extends KindClass<infer T> ? ServedObject<T> : K extends MetadataClass<infer T> ? Metadata<T> : UnstructuredObject;

/** The type of the objects that a write changes. `Metadata(Class)` restricts only the response. */
export type WrittenObject<K extends RequestedKind> =
  K extends KindClass<infer T> ? T : K extends MetadataClass<infer T> ? T : UnstructuredObject;

/**
 * The parts of a kind that requests need: its resource, whether only metadata is requested, and the prototype of
 * returned objects.
 */
export interface ResolvedKind {
  readonly resource: ApiResource;
  readonly metadataOnly: boolean;
  readonly prototype: object | undefined;
}

/** Throws `missing-custom-resource` for a class that is not a kind. */
export function resolveRequestedKind(kind: RequestedKind): ResolvedKind {
  if (isMetadataClass(kind)) return { resource: resourceOf(kind.metadataOf), metadataOnly: true, prototype: undefined };
  if (typeof kind === 'function') {
    return { resource: resourceOf(kind), metadataOnly: false, prototype: kind.prototype as object };
  }
  return { resource: kind, metadataOnly: false, prototype: undefined };
}
