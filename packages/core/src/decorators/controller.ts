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
   * Whether `context.client` may read and write other namespaces than the object's, and write objects without a namespace.
   * Default false: whoever may create an object in one namespace could otherwise reach another one through the operator.
   * An injected Client is not held back.
   */
  acrossNamespaces?: boolean;
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
