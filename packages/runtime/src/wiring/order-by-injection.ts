import type { InjectionPlan, ServiceKey } from '../injection/injection.ts';
import type { Runnable } from '../runnable/runnable.ts';
import type { RunnableGroups } from '../runnable/runnable-groups.ts';

/** A runnable whose instance is made by injection, and the class that it is made of. */
export interface InjectedRunnable {
  readonly key: ServiceKey;
  readonly runnable: Runnable;
}

/**
 * Orders runnables and controllers of one group by what is injected into them, directly or through services. What only inversify
 * can resolve is unknown, and is not ordered.
 */
export function orderByInjection(
  groups: RunnableGroups,
  { recipes }: InjectionPlan,
  injected: readonly InjectedRunnable[],
): void {
  for (const { key, runnable } of injected) {
    const reached = new Set<ServiceKey>([key]);
    // A set also visits what is added while it is visited.
    for (const next of reached) {
      for (const injection of recipes.get(next)?.dependencies ?? []) {
        if ('service' in injection) reached.add(injection.service);
      }
    }
    reached.delete(key);
    const needs = injected.filter((other) => reached.has(other.key)).map((other) => other.runnable);
    if (needs.length > 0) groups.order(runnable, needs);
  }
}
