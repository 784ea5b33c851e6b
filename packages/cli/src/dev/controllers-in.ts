import { type AnyClass, declarationsOf } from '@evenkeel/core';
import type { ConcreteClass } from '@evenkeel/runtime';

/** The classes with `@Controller` that a module exports. */
export function controllersIn(module: Readonly<Record<string, unknown>>): ConcreteClass[] {
  return classesIn(module).filter(
    (exported) => declarationsOf(exported as unknown as AnyClass).controller !== undefined,
  );
}

/** Every class that a module exports. */
export function classesIn(module: Readonly<Record<string, unknown>>): ConcreteClass[] {
  return Object.values(module).filter(
    (exported): exported is ConcreteClass => typeof exported === 'function' && exported.prototype !== undefined,
  );
}
