import { recordOfMember } from '../declarations/class-declarations.ts';
import type { Duration } from '../time/duration.ts';

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
  return (target, method) => {
    recordOfMember(target).periods.push({ period, method });
  };
}
