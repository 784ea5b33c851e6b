import { isQualifiedName } from '@evenkeel/apimachinery/name-form';
import { byMethod, declare, recordField } from '../declarations/class-record.ts';
import { controllerDecorator, type FunctionStep, type PlainFunction } from '../declarations/controller-decorator.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import { permissionFor } from '../declarations/permission.ts';

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
  return (target, method) => declare(finalizer.record, target, { ...options, name, method });
}

/** What follows from `@Finalizer`. */
export const finalizer = controllerDecorator({
  name: 'Finalizer',
  record: recordField('finalizers', byMethod<FinalizerDeclaration>()),
  plan: planFinalizers,
  permissions({ finalizers, controllerClass, resource }) {
    if (finalizers.length === 0) return [];
    const names = finalizers.map(({ name }) => name).join(', ');
    const reason = `${controllerClass.name} puts its finalizers on and takes them off (${names})`;
    return [permissionFor(resource, ['patch'], reason)];
  },
  step: (name: FinalizerName, finalize: PlainFunction, options?: FinalizerOptions): FunctionStep => ({
    on: 'method',
    does: finalize,
    unnamed: `finalizer(${String(name)})`,
    decorate: Finalizer(name, options),
  }),
});

/** `Run` is a function that is called as the reconcile is. */
export interface FinalizerStep<Run> {
  /** As `@Finalizer`. */
  finalizer(name: FinalizerName, finalize: Run, options?: FinalizerOptions): this;
}

export interface PlannedFinalizer {
  readonly name: FinalizerName;
  readonly method: string;
}

export interface PlannedFinalizers {
  /** In the order in which they run. */
  readonly finalizers: readonly PlannedFinalizer[];
}

function planFinalizers(finalizers: readonly FinalizerDeclaration[], reader: DeclarationReader): PlannedFinalizers {
  const methods = new Map<string, string>();
  for (const declaration of finalizers) {
    const { name, method, order = 0 } = declaration;
    reader.checkOptions(`${reader.say('Finalizer')} on ${method}`, declaration, ['name', 'method', 'order']);
    if (!isFinalizerName(name)) {
      reader.report(
        'invalid-option',
        `${JSON.stringify(name)} cannot be a finalizer's name; give a domain of yours and a name of at most 63 letters, digits, "-", "_" and ".", such as "example.com/dns-record"`,
        method,
      );
    }
    if (!Number.isFinite(order)) {
      reader.report('invalid-option', `order of ${reader.say('Finalizer')} is ${String(order)}; give a number`, method);
    }
    const other = methods.get(name);
    if (other !== undefined) {
      reader.report(
        'duplicate-declaration',
        `${reader.say('Finalizer')}("${name}") stands on ${other} and ${method}; give each finalizer a name of its own`,
      );
    }
    methods.set(name, method);
  }
  const ordered = finalizers.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
  return { finalizers: ordered.map(({ name, method }) => ({ name, method })) };
}

/**
 * A qualified name with its domain (apimachinery, `validation.IsQualifiedName`). The server lets some names without a domain
 * pass; those are Kubernetes' own.
 */
function isFinalizerName(name: string): boolean {
  return String(name).includes('/') && isQualifiedName(String(name));
}
