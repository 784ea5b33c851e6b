import { byMethod, declare, recordField } from '../declarations/class-record.ts';
import { controllerDecorator } from '../declarations/controller-decorator.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import type { Duration } from '../time/duration.ts';

/** The options of `@Reconcile`. */
export interface ReconcileOptions {
  /** How many objects are reconciled concurrently. One object never has two runs at a time. Default: 1. */
  maxConcurrent?: number;
  /** Aborts the context's signal after this time. The key and the worker stay in use until the promise settles. Default: none. */
  timeout?: Duration;
}

export interface ReconcileDeclaration extends ReconcileOptions {
  readonly method: string;
}

/** Marks the method that moves the actual state towards the desired state of an object. It may run at any time and repeatedly. */
export function Reconcile(options: ReconcileOptions = {}): (target: object, method: string) => void {
  return (target, method) => declare(reconcile.record, target, { ...options, method });
}

/** The descriptor of `@Reconcile`. */
export const reconcile = controllerDecorator({
  name: 'Reconcile',
  record: recordField('reconciles', byMethod<ReconcileDeclaration>()),
  plan: planReconcile,
});

export interface PlannedReconcile {
  readonly reconcileMethod: string;
  readonly maxConcurrent: number;
  /** Undefined if a reconcile has no time limit. */
  readonly timeoutMs: number | undefined;
}

function planReconcile(
  reconciles: readonly ReconcileDeclaration[],
  reader: DeclarationReader,
): PlannedReconcile | undefined {
  const [first, ...others] = reconciles;
  const { primary } = reader;
  const kind = primary?.resource.kind ?? 'kind';
  if (first === undefined) {
    reader.report(
      'controller-without-reconcile',
      `the class has @Controller(${primary?.kind.name ?? ''}) but no @Reconcile; add @Reconcile() above the method that reconciles a ${kind}`,
    );
    return undefined;
  }
  if (others.length > 0) {
    const methods = reconciles.map(({ method }) => method);
    reader.report(
      'controller-without-reconcile',
      `@Reconcile is on ${methods.join(' and ')}; keep it on one method and call the others from there`,
    );
  }
  const { method, maxConcurrent = 1, timeout } = first;
  reader.checkParameter(reader.say('Reconcile'), primary, method);
  reader.checkOptions(`${reader.say('Reconcile')} on ${method}`, first, ['method', 'maxConcurrent', 'timeout']);
  if (!Number.isInteger(maxConcurrent) || maxConcurrent < 1) {
    reader.report(
      'invalid-option',
      `maxConcurrent of ${reader.say('Reconcile')} is ${maxConcurrent}; use an integer of at least 1`,
      method,
    );
  }
  const timeoutMs =
    timeout === undefined ? undefined : reader.durationMs(`timeout of ${reader.say('Reconcile')}`, timeout, method);
  if (timeoutMs === 0) {
    reader.report(
      'invalid-option',
      `timeout of ${reader.say('Reconcile')} is 0; use a longer timeout, or remove it`,
      method,
    );
  }
  return { reconcileMethod: method, maxConcurrent, timeoutMs };
}
