import { byMethod, declare, recordField } from '../declarations/class-record.ts';
import { controllerDecorator } from '../declarations/controller-decorator.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import type { Duration } from '../time/duration.ts';

export interface ReconcileOptions {
  /** How many objects are reconciled at once; one object never twice. Default 1. */
  maxConcurrent?: number;
  /** After this the context's signal is aborted; key and worker stay taken until the promise settles. Default: none. */
  timeout?: Duration;
}

export interface ReconcileDeclaration extends ReconcileOptions {
  readonly method: string;
}

/** Marks the method that brings the world nearer to what an object asks for. It may run at any time, and again. */
export function Reconcile(options: ReconcileOptions = {}): (target: object, method: string) => void {
  return (target, method) => declare(reconcile.record, target, { ...options, method });
}

/** What follows from `@Reconcile`. */
export const reconcile = controllerDecorator({
  name: 'Reconcile',
  record: recordField('reconciles', byMethod<ReconcileDeclaration>()),
  plan: planReconcile,
});

export interface PlannedReconcile {
  readonly reconcileMethod: string;
  readonly maxConcurrent: number;
  /** Undefined where a reconcile may take as long as it likes. */
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
      `@Controller(${primary?.kind.name ?? ''}) found, but no method has @Reconcile; add @Reconcile() above the method that reconciles a ${kind}`,
    );
    return undefined;
  }
  if (others.length > 0) {
    const methods = reconciles.map(({ method }) => method);
    reader.report(
      'controller-without-reconcile',
      `@Reconcile stands on ${methods.join(' and ')}; keep it on one method, the others can be called from there`,
    );
  }
  const { method, maxConcurrent = 1, timeout } = first;
  reader.checkOptions(`${reader.say('Reconcile')} on ${method}`, first, ['method', 'maxConcurrent', 'timeout']);
  if (!Number.isInteger(maxConcurrent) || maxConcurrent < 1) {
    reader.report(
      'invalid-option',
      `maxConcurrent of ${reader.say('Reconcile')} is ${maxConcurrent}; give a whole number from 1`,
      method,
    );
  }
  const timeoutMs =
    timeout === undefined ? undefined : reader.durationMs(`timeout of ${reader.say('Reconcile')}`, timeout, method);
  if (timeoutMs === 0) {
    reader.report(
      'invalid-option',
      `timeout of ${reader.say('Reconcile')} is 0; give more than nothing, or leave it out`,
      method,
    );
  }
  return { reconcileMethod: method, maxConcurrent, timeoutMs };
}
