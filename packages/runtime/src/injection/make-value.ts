import { EvenkeelError } from '@evenkeel/core';
import type { Recipe } from './injection.ts';
import { type LifeCycle, notConstructible, reasonOf } from './life-cycle.ts';

/**
 * Makes the value of a recipe from those of its dependencies, and adds its end to the life cycle. Rejects with
 * `class-not-constructible` or `hook-failed`, with `invalid-provider` if a factory returns nothing, or with the error of the factory.
 */
export async function makeValue(
  { provision, name }: Recipe,
  values: readonly unknown[],
  lifeCycle: LifeCycle,
): Promise<unknown> {
  switch (provision.as) {
    case 'class': {
      const { target } = provision;
      let instance: object;
      try {
        instance = new target(...values);
      } catch (error) {
        throw notConstructible(target, error);
      }
      return lifeCycle.begin(target, instance);
    }
    case 'alias':
      return values[0];
    case 'value':
      return provision.value;
    case 'factory': {
      const { useFactory, dispose } = provision.provider;
      const value = await lifeCycle.during(name, () => useFactory(...(values as never[])));
      if (value === undefined) {
        throw new EvenkeelError('invalid-provider', `${name}: useFactory returned undefined; return the value`);
      }
      if (dispose !== undefined) lifeCycle.add(name, async () => dispose(value as never), 'dispose');
      return value;
    }
  }
}

/** The error of a factory of a singleton, which may depend on other systems. */
function factoryFailed({ name }: Recipe, cause: unknown): EvenkeelError {
  if (cause instanceof EvenkeelError && cause.code === 'invalid-provider') return cause;
  return new EvenkeelError('factory-failed', `${name}: useFactory failed: ${reasonOf(cause)}`, { cause });
}

/** The same as `makeValue`, with an error that names the factory. */
export async function makeSingleton(
  recipe: Recipe,
  values: readonly unknown[],
  lifeCycle: LifeCycle,
): Promise<unknown> {
  if (recipe.provision.as !== 'factory') return makeValue(recipe, values, lifeCycle);
  return makeValue(recipe, values, lifeCycle).catch((error: unknown) => {
    throw factoryFailed(recipe, error);
  });
}
