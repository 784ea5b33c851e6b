import type { Metadata } from '@evenkeel/core';

/** What a cache holds at least of an object. Whole ones have more. */
export type CachedObject = Metadata;
