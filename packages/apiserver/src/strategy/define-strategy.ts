import type { KubernetesObject } from '@evenkeel/core';
import { copyJson } from '../apimachinery/index.ts';
import type { Strategy } from '../kind/strategy.ts';

/**
 * A strategy written for the type of its kind, as the registry holds it. Decoding has made sure that what an object has
 * is of the schema's types; what the types call required may still be missing, so strategies ask before they read.
 */
export function defineStrategy<T extends KubernetesObject>(strategy: Strategy<T>): Strategy {
  return strategy as unknown as Strategy;
}

/** Takes a member of the stored object over into the new one, its absence too. */
export function keepMember<T extends object>(object: T, old: T, name: keyof T): void {
  if (old[name] === undefined) delete object[name];
  else object[name] = copyJson(old[name]);
}
