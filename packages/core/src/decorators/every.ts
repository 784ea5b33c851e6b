import { byMethod, declare, declared, recordField } from '../declarations/class-record.ts';
import { controllerDecorator, type FunctionStep } from '../declarations/controller-decorator.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import { functionControllerOf } from '../declarations/function-controller.ts';
import type { Duration } from '../time/duration.ts';
import { reconcile } from './reconcile.ts';

export interface EveryDeclaration {
  readonly period: Duration;
  readonly method: string;
}

/**
 * Reconciles all objects of the kind periodically, even if they have not changed. Put it on the method with `@Reconcile`. Use
 * it for changes that no watch reports, such as an expiring certificate or a system outside of the cluster. For a single
 * object, use `requeueAfter`.
 *
 * The objects are enqueued at low priority, behind all changes, and spread at random over the first tenth of each period. The
 * first period begins when the controller starts, because the start reconciles all objects anyway. Such a run has a trigger
 * with the verb `periodic`.
 */
export function Every(period: Duration): (target: object, method: string) => void {
  return (target, method) => declare(every.record, target, { period, method });
}

/** The descriptor of `@Every`. */
export const every = controllerDecorator({
  name: 'Every',
  record: recordField('periods', byMethod<EveryDeclaration>()),
  plan: planPeriod,
  step: (period: Duration): FunctionStep => ({ on: 'reconcile', decorate: Every(period) }),
});

export interface EveryStep {
  /** Same as `@Every` on the reconcile method. */
  every(period: Duration): this;
}

export interface PlannedPeriod {
  /** The period at which all objects are enqueued; undefined if only events and delays enqueue them. */
  readonly periodMs: number | undefined;
}

function planPeriod(periods: readonly EveryDeclaration[], reader: DeclarationReader): PlannedPeriod {
  const [first, ...others] = periods;
  if (first === undefined) return { periodMs: undefined };
  const { method, period } = first;
  const reconciles = declared(reconcile.record, reader.controllerClass);
  const isReconcile = reconciles.some((declaration) => declaration.method === method);
  if (others.length > 0 || !isReconcile) {
    const methods = periods.map((declaration) => declaration.method).join(' and ');
    reader.report(
      'invalid-option',
      functionControllerOf(reader.controllerClass) === undefined
        ? `@Every is on ${methods}; use it once, on the method with @Reconcile`
        : '.every is called more than once; keep one call',
    );
  }
  const periodMs = reader.durationMs(reader.say('Every'), period, method);
  if (periodMs !== undefined && periodMs < shortestPeriodMs) {
    reader.report('invalid-option', `the period of ${reader.say('Every')} is ${period}; use at least 1s`, method);
  }
  return { periodMs };
}

/** A shorter period is probably a wrong unit. */
const shortestPeriodMs = 1000;
