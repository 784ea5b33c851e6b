import { ObjectKey } from '@evenkeel/core';
import type { KeyLike } from './client.ts';

export function keyOf(key: KeyLike): ObjectKey {
  return typeof key === 'string' ? ObjectKey.parse(key) : key;
}
