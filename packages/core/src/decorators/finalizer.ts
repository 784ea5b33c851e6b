import { recordOfMember } from '../declarations/class-declarations.ts';

/** A domain and a name below it, `example.com/dns-record`: what `metadata.finalizers` lists. */
export type FinalizerName = `${string}/${string}`;

export interface FinalizerOptions {
  /** Lower ones run first; equal ones in the order in which the class declares them. Default 0. */
  order?: number;
}

export interface FinalizerDeclaration extends FinalizerOptions {
  readonly name: FinalizerName;
  readonly method: string;
}

/**
 * Marks a method that undoes what a reconcile made outside of the object's children: a DNS record, a bucket, an object in
 * another namespace. Children with an owner reference need none, the garbage collector deletes them. The method is called
 * as `@Reconcile`'s is, with the object and a context. Returning nothing says that it is done; `awaitChange()` and
 * `requeueAfter()` that it is not, and is to be called again then.
 *
 * Flow:
 * 1. Somebody creates an object. Before its first reconcile, all finalizers of the controller are put on it, in one write.
 * 2. The reconcile runs, as often as it does.
 * 3. Somebody deletes the object. The server keeps it, with a `deletionTimestamp`, and reconciles end.
 * 4. The method with the lowest order is called. When it resolves, its finalizer is taken off, and the next is called.
 * 5. When no finalizer is left, of ours or of others, the server removes the object.
 *
 * Guarantees: no reconcile sees an object before all finalizers are on it. For one object nothing runs at the same time:
 * neither two finalizers, nor a finalizer and a reconcile. A finalizer stays on while its method throws, asks to be called
 * again, or has not been called; a throw is retried with backoff. Finalizers of others are never touched, nor
 * is an object that was deleted before ours were on it, or that a validator does not let pass.
 *
 * Assumptions: the name is this controller's alone, in every version of the operator.
 *
 * Caveats: both methods must be idempotent. The reconcile may have made nothing yet, or half of it, when the finalizer is
 * called; the finalizer is called again where the process ended, or the server could not be reached, after it had done its
 * work and before that was written, so it must find its work done and resolve. A `TerminalError` leaves the object in
 * deletion until something changes it. A finalizer that is taken out of the code stays on objects that have it and then
 * holds them for ever: leave its method, empty, until none has it any more. An object that is removed by force
 * (`kubectl patch ... finalizers: null`) is not finalized.
 */
export function Finalizer(
  name: FinalizerName,
  options: FinalizerOptions = {},
): (target: object, method: string) => void {
  return (target, method) => {
    recordOfMember(target).finalizers.push({ ...options, name, method });
  };
}
