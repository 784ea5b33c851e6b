import type { AnyClass } from './class-reference.ts';

/** Returns a class and its base classes, the class itself first. */
export function inheritanceChain(target: AnyClass): AnyClass[] {
  const chain: AnyClass[] = [];
  for (
    let current: unknown = target;
    typeof current === 'function' && current !== Function.prototype;
    current = Object.getPrototypeOf(current)
  ) {
    chain.push(current as AnyClass);
  }
  return chain;
}
