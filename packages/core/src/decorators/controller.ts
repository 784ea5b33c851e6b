import { type AnyClass, type KindReference, recordOf } from './class-declarations.ts';

export interface ControllerOptions {
  /** Unique in its manager; stands in logs and metrics. Default: the kind in lower case. */
  name?: string;
}

export interface ControllerDeclaration extends ControllerOptions {
  /** The kind whose objects are reconciled. */
  readonly kind: KindReference;
}

/** Declares a class as the controller of a kind. It needs one method with `@Reconcile`. */
export function Controller(kind: KindReference, options: ControllerOptions = {}): (target: AnyClass) => void {
  return (target) => {
    recordOf(target).controller = { ...options, kind };
  };
}
