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
 * Stands above the method with `@Reconcile`: all objects of the kind are reconciled again every so often, though nothing
 * has happened to them. For what no watch tells, such as a certificate that grows old or a system outside of the cluster.
 * For one object `requeueAfter` says it better.
 *
 * The objects come at low priority, behind everything that has happened, and spread at random over the first tenth of each
 * period. The first period begins with the controller, whose start reconciles everything anyway. A run has a trigger with
 * the verb `periodic`.
 */
export function Every(period: Duration): (target: object, method: string) => void {
  return (target, method) => declare(every.record, target, { period, method });
}

/** What follows from `@Every`. */
export const every = controllerDecorator({
  name: 'Every',
  record: recordField('periods', byMethod<EveryDeclaration>()),
  plan: planPeriod,
  step: (period: Duration): FunctionStep => ({ on: 'reconcile', decorate: Every(period) }),
});

export interface EveryStep {
  /** As `@Every` above the reconcile. */
  every(period: Duration): this;
}

export interface PlannedPeriod {
  /** How often all objects come again; undefined where only events and delays bring them. */
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
        ? `@Every stands on ${methods}; put it above the method with @Reconcile, once`
        : 'it says .every more than once; keep one of them',
    );
  }
  const periodMs = reader.durationMs(reader.say('Every'), period, method);
  if (periodMs !== undefined && periodMs < shortestPeriodMs) {
    reader.report(
      'invalid-option',
      `the period of ${reader.say('Every')} is ${period}; give at least a second`,
      method,
    );
  }
  return { periodMs };
}

/** What is shorter is a mistake of units. */
const shortestPeriodMs = 1000;
