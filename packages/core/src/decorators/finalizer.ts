import { isQualifiedName } from '@evenkeel/apimachinery/name-form';
import { byMethod, declare, recordField } from '../declarations/class-record.ts';
import { controllerDecorator, type FunctionStep, type PlainFunction } from '../declarations/controller-decorator.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import { permissionFor } from '../declarations/permission.ts';

/** A domain and a name, as in `metadata.finalizers`: `example.com/dns-record`. */
export type FinalizerName = `${string}/${string}`;

/** The options of `@Finalizer`. */
export interface FinalizerOptions {
  /** Finalizers with a lower order run first, those with the same order as the class declares them. Default: 0. */
  order?: number;
}

export interface FinalizerDeclaration extends FinalizerOptions {
  readonly name: FinalizerName;
  readonly method: string;
}

/**
 * Marks a method that cleans up what a reconcile created besides the object's children: a DNS record, a bucket, an object in
 * another namespace. Children with an owner reference do not need it, because the garbage collector deletes them. The method
 * gets the object and a context, like the `@Reconcile` method. If it returns nothing, the cleanup is complete. If it returns
 * `awaitChange()` or `requeueAfter()`, it is called again.
 *
 * Flow:
 * 1. A user creates an object. Before its first reconcile, one write adds all finalizers of the controller.
 * 2. The reconcile runs any number of times.
 * 3. A user deletes the object. The server sets `deletionTimestamp` and keeps the object. It is no longer reconciled.
 * 4. The method with the lowest order is called. When it resolves, its finalizer is removed, and the next method is called.
 * 5. When the last finalizer is removed, including those of other controllers, the server removes the object.
 *
 * Promised: no reconcile gets an object that lacks one of the finalizers. For one object, only one method runs at a time, a
 * finalizer or the reconcile. A finalizer remains until its method has completed; if the method throws, it is retried with
 * backoff. Evenkeel never removes finalizers of others. It does not change an object that was deleted before it had the
 * finalizers, or that a validator rejects.
 *
 * Assumed: only this controller uses the name, in every version of the operator.
 *
 * Not promised: that a method runs once, or only after a complete reconcile. Both methods must be idempotent. The reconcile
 * may have created nothing, or only a part, when the finalizer is called. The finalizer is called again if the process ended,
 * or the server was unreachable, after the cleanup and before the finalizer was removed. It must then find nothing to do and
 * resolve. After a `TerminalError`, the object stays in deletion until it changes. If you remove a finalizer from the code,
 * objects that have it can never be deleted; keep an empty method until no object has it. An object that a user removes by
 * force (`kubectl patch ... finalizers: null`) is not finalized.
 */
export function Finalizer(
  name: FinalizerName,
  options: FinalizerOptions = {},
): (target: object, method: string) => void {
  return (target, method) => declare(finalizer.record, target, { ...options, name, method });
}

/** The descriptor of `@Finalizer`. */
export const finalizer = controllerDecorator({
  name: 'Finalizer',
  record: recordField('finalizers', byMethod<FinalizerDeclaration>()),
  plan: planFinalizers,
  permissions({ finalizers, controllerClass, resource }) {
    if (finalizers.length === 0) return [];
    const names = finalizers.map(({ name }) => name).join(', ');
    const reason = `${controllerClass.name} adds and removes its finalizers (${names})`;
    return [permissionFor(resource, ['patch'], reason)];
  },
  step: (name: FinalizerName, finalize: PlainFunction, options?: FinalizerOptions): FunctionStep => ({
    on: 'method',
    does: finalize,
    unnamed: `finalizer(${String(name)})`,
    decorate: Finalizer(name, options),
  }),
});

/** `Run` is a function with the parameters of the reconcile. */
export interface FinalizerStep<Run> {
  /** Same as `@Finalizer`. */
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
        `invalid finalizer name ${JSON.stringify(name)}; use your domain and a name of at most 63 letters, digits, "-", "_" and ".", such as "example.com/dns-record"`,
        method,
      );
    }
    if (!Number.isFinite(order)) {
      reader.report('invalid-option', `order of ${reader.say('Finalizer')} is ${String(order)}; use a number`, method);
    }
    reader.checkParameter(`${reader.say('Finalizer')}("${name}")`, reader.primary, method);
    const other = methods.get(name);
    if (other !== undefined) {
      reader.report(
        'duplicate-declaration',
        `${reader.say('Finalizer')}("${name}") is on ${other} and ${method}; give each finalizer a different name`,
      );
    }
    methods.set(name, method);
  }
  const ordered = finalizers.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
  return { finalizers: ordered.map(({ name, method }) => ({ name, method })) };
}

/**
 * Accepts a qualified name with a domain (apimachinery, `validation.IsQualifiedName`). The server also accepts some names
 * without a domain, which belong to Kubernetes.
 */
function isFinalizerName(name: string): boolean {
  return String(name).includes('/') && isQualifiedName(String(name));
}
