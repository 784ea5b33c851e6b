import type { KubernetesObject } from '../kubernetes-object.ts';
import type { Predicate } from '../object-event.ts';
import { type AnyClass, type KindReference, recordOf } from './class-declarations.ts';

export interface ControllerOptions<T extends KubernetesObject = KubernetesObject> {
  /** Unique in its manager; stands in logs and metrics. Default: the kind in lower case. */
  name?: string;
  /**
   * Which events of the kind wake the controller; all must let an event pass. Default: every event does, except for what
   * the controller's own run wrote and has seen the answer to.
   */
  predicates?: readonly Predicate<T>[];
  /**
   * Whether a run for an object with a namespace may read and write other namespaces, and write objects without a namespace:
   * through `context.client`, and through an injected Client or Lister. Default false: whoever may create an object in one
   * namespace could otherwise reach another one through the operator.
   *
   * What belongs to no run is not held back: mappers, predicates, index functions, channels, runnables and
   * `@postConstruct`. What a run has begun stays with it, also when the run is over.
   */
  acrossNamespaces?: boolean;
  /**
   * Whether `context.apply` takes over objects that exist under the names of children and that nobody controls. A call may
   * say otherwise. Default false: whoever may create an object of the kind could otherwise take over, and by deleting theirs
   * delete, what others have made in its namespace.
   */
  adopt?: boolean;
  /**
   * Whether a manager without `namespaces` may hold every Secret of the cluster, where the kind is Secret. Default false: it
   * refuses to start, unless its `cache` narrows the kind.
   */
  wholeCluster?: boolean;
}

export interface ControllerDeclaration extends Omit<ControllerOptions, 'predicates'> {
  /** The kind whose objects are reconciled. */
  readonly kind: KindReference;
  readonly predicates?: readonly Predicate[];
}

/** Declares a class as the controller of a kind. It needs one method with `@Reconcile`. */
export function Controller<T extends KubernetesObject>(
  kind: KindReference<T>,
  options: ControllerOptions<T> = {},
): (target: AnyClass) => void {
  return (target) => {
    recordOf(target).controller = { ...options, kind } as ControllerDeclaration;
  };
}
