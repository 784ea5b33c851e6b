import type { Scale } from '@evenkeel/kinds/autoscaling/v1';
import type { ApplyOptions, RequestOptions, WriteOptions } from './client.ts';
import type { Patch } from './patch.ts';
import type { ObjectOf, RequestedKind, UnstructuredObject } from './requested-kind.ts';

/** What a subresource's requests carry and give: the object itself for `status`, a `Scale` for `scale`. */
export type SubresourceObject<K extends RequestedKind, N extends string> = N extends 'status'
  ? ObjectOf<K>
  : N extends 'scale'
    ? Scale
    : UnstructuredObject;

/** The requests that a subresource of one object may take; which of them it does take is the server's to say. */
export interface Subresource<K extends RequestedKind, N extends string> {
  get(options?: RequestOptions): Promise<SubresourceObject<K, N>>;
  create(object: object, options?: WriteOptions): Promise<SubresourceObject<K, N>>;
  update(object: object, options?: WriteOptions): Promise<SubresourceObject<K, N>>;
  patch(patch: Patch, options?: WriteOptions): Promise<SubresourceObject<K, N>>;
  apply(configuration: object, options?: ApplyOptions): Promise<SubresourceObject<K, N>>;
}
