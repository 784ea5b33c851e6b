import type { AnyClass } from '../declarations/class-reference.ts';
import type { ControllerMistake } from '../declarations/controller-mistake.ts';
import type { CachedKind } from '../declarations/planned-kind.ts';
import { groupResourceOf, type KindClass } from '../kind/api-resource.ts';

/** The plan of a class whose kinds are cached. */
export interface CachingPlan {
  readonly controllerClass: AnyClass;
  readonly cached: readonly CachedKind[];
}

/**
 * The mistakes of plans that run in one manager with different classes for one kind. Objects of a kind have one prototype, so each
 * would get instances of the other's class.
 */
export function severalClassesOfOneKind(plans: readonly CachingPlan[]): ControllerMistake[] {
  const classOf = new Map<string, KindClass>();
  const mistakes: ControllerMistake[] = [];
  for (const { cached, controllerClass } of plans) {
    for (const { kind, resource } of cached) {
      const name = groupResourceOf(resource);
      const other = classOf.get(name);
      if (other === undefined || other === kind) {
        classOf.set(name, kind);
        continue;
      }
      mistakes.push({
        code: 'duplicate-declaration',
        controllerClass,
        message: `${other.name} and ${kind.name} are both classes of ${name}, but a manager can have only one class for each kind; use the same class everywhere`,
      });
    }
  }
  return mistakes;
}
