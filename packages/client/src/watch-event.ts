import type { Metadata } from '@evenkeel/core';

/**
 * One change, as a watch delivers it. A `BOOKMARK` says only that everything up to its object's resourceVersion has been
 * delivered; its object has no other field that means anything. Errors are thrown, not delivered.
 */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: Metadata };
