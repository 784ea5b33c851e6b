import {
  type ApiResource,
  isMetadataClass,
  type KindClass,
  type KubernetesObject,
  type Metadata,
  type MetadataClass,
  resourceOf,
} from '@evenkeel/core';

/** An object of which no class is known: its fields beyond the metadata are `unknown`, to be parsed where they are read. */
export interface UnstructuredObject extends KubernetesObject {
  [field: string]: unknown;
}

/**
 * What may stand for a kind in a request: its class, `Metadata(Class)` for the metadata alone, or an {@link ApiResource}
 * for a kind without a class.
 */
export type RequestedKind = KindClass | MetadataClass | ApiResource;

/** The type of the objects that a {@link RequestedKind} stands for. */
export type ObjectOf<K extends RequestedKind> =
  K extends KindClass<infer T> ? T : K extends MetadataClass<infer T> ? Metadata<T> : UnstructuredObject;

/** A kind as requests need it: where it is served, how much of it is asked for, and which class answers get. */
export interface ResolvedKind {
  readonly resource: ApiResource;
  readonly metadataOnly: boolean;
  readonly prototype: object | undefined;
}

/** Throws `missing-custom-resource` for a class that stands for no kind. */
export function resolveRequestedKind(kind: RequestedKind): ResolvedKind {
  if (isMetadataClass(kind)) return { resource: resourceOf(kind.metadataOf), metadataOnly: true, prototype: undefined };
  if (typeof kind === 'function') {
    return { resource: resourceOf(kind), metadataOnly: false, prototype: kind.prototype as object };
  }
  return { resource: kind, metadataOnly: false, prototype: undefined };
}
