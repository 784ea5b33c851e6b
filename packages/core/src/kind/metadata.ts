import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { KindClass } from './api-resource.ts';

/** An object of which only its metadata is known: what a metadata-only watch delivers. */
export type Metadata<T extends KubernetesObject = KubernetesObject> = Pick<T, 'apiVersion' | 'kind' | 'metadata'>;

/** Stands where a kind's class may stand and asks for its metadata alone. */
export interface MetadataClass<T extends KubernetesObject = KubernetesObject> {
  readonly metadataOf: KindClass<T>;
}

/**
 * Asks for the metadata of a kind instead of whole objects: the server sends PartialObjectMetadata, and a cache holds
 * about a kilobyte for each, however large the object is.
 */
export function Metadata<T extends KubernetesObject>(kind: KindClass<T>): MetadataClass<T> {
  return { metadataOf: kind };
}

export function isMetadataClass(value: unknown): value is MetadataClass {
  return typeof value === 'object' && value !== null && 'metadataOf' in value;
}
