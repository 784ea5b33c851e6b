import type { Metadata } from '@evenkeel/core';

/**
 * One event of a watch. A `BOOKMARK` only means that all events up to its object's resourceVersion have been delivered;
 * its object has no other meaningful field. Errors are thrown, not delivered.
 */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: Metadata };
