import type { Scale } from '@evenkeel/kinds/autoscaling/v1';
import type { Patch } from './patch.ts';
import type { ApplyOptions, RequestOptions, WriteOptions } from './request-options.ts';
import type { ObjectOf, RequestedKind, UnstructuredObject, WrittenObject } from './requested-kind.ts';

/** The type of a subresource's requests and responses: the object itself for `status`, a `Scale` for `scale`. */
export type SubresourceObject<K extends RequestedKind, N extends string> = N extends 'status'
  ? ObjectOf<K>
  : N extends 'scale'
    ? Scale
    : UnstructuredObject;

/** The type of the objects that a write of a subresource changes. */
type WrittenSubresource<K extends RequestedKind, N extends string> = N extends 'status'
  ? WrittenObject<K>
  : SubresourceObject<K, N>;

/** The requests of a subresource of one object. The server decides which of them it supports. */
export interface Subresource<K extends RequestedKind, N extends string> {
  get(options?: RequestOptions): Promise<SubresourceObject<K, N>>;
  create(object: object, options?: WriteOptions): Promise<SubresourceObject<K, N>>;
  update(object: object, options?: WriteOptions): Promise<SubresourceObject<K, N>>;
  patch(patch: Patch<WrittenSubresource<K, N>>, options?: WriteOptions): Promise<SubresourceObject<K, N>>;
  apply(configuration: object, options?: ApplyOptions): Promise<SubresourceObject<K, N>>;
}
