import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { KindClass } from './api-resource.ts';

/** An object with only its metadata: the object of a metadata-only watch. */
export type Metadata<T extends KubernetesObject = KubernetesObject> = Pick<T, 'apiVersion' | 'kind' | 'metadata'>;

/** A reference to the metadata of a kind, which can be used instead of the kind's class. */
export interface MetadataClass<T extends KubernetesObject = KubernetesObject> {
  readonly metadataOf: KindClass<T>;
}

/**
 * Refers to the metadata of a kind instead of whole objects. The server sends PartialObjectMetadata, and the cache needs about
 * one kilobyte for each object, whatever its size.
 */
export function Metadata<T extends KubernetesObject>(kind: KindClass<T>): MetadataClass<T> {
  return { metadataOf: kind };
}

/** Whether a value is the result of {@link Metadata}. */
export function isMetadataClass(value: unknown): value is MetadataClass {
  return typeof value === 'object' && value !== null && 'metadataOf' in value;
}
