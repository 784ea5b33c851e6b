import type { Metadata } from '@evenkeel/core';

/** The minimum that a cache contains of an object. A complete object has more. */
export type CachedObject = Metadata;
