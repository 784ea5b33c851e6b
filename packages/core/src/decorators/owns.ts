import { type AnyClass, type KindReference, recordOf } from '../declarations/class-declarations.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { Predicate } from '../predicate/object-event.ts';

export interface OwnsOptions<T extends KubernetesObject = KubernetesObject> {
  /** Which events of children wake their owner; all must let an event pass. Default: every event does. */
  predicates?: readonly Predicate<T>[];
}

export interface OwnsDeclaration {
  readonly kind: KindReference;
  readonly predicates?: readonly Predicate[];
}

/**
 * Declares a kind of children: an event on one that has the reconciled kind as its controller wakes its owner, and the
 * controller may apply that kind. Children are cached only where they carry the label that `context.apply` stamps. To
 * delete them, which `context.prune` does, takes `@Rbac(Kind, ['delete'])` too.
 */
export function Owns<T extends KubernetesObject>(
  kind: KindReference<T>,
  options: OwnsOptions<T> = {},
): (target: AnyClass) => void {
  return (target) => {
    recordOf(target).owns.unshift({ ...options, kind } as OwnsDeclaration);
  };
}
