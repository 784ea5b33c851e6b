import type { KubernetesObject } from '@evenkeel/core';
import { copyJson } from '../apimachinery/index.ts';
import type { Strategy } from '../kind/strategy.ts';

/**
 * Converts a strategy for the type of one kind to one for any object. Decoding ensures that present members have the
 * schema's types. Members that the type requires can still be missing, so strategies must check them.
 */
export function defineStrategy<T extends KubernetesObject>(strategy: Strategy<T>): Strategy {
  return strategy as unknown as Strategy;
}

/** Copies a member of the stored object to the new one, or removes it if it is absent. */
export function keepMember<T extends object>(object: T, old: T, name: keyof T): void {
  if (old[name] === undefined) delete object[name];
  else object[name] = copyJson(old[name]);
}
