/**
 * Managers, controllers, informers and workqueues. Operators import most of them from `evenkeel`.
 *
 * @module @evenkeel/runtime
 */

// For operators.

export type { ConcreteClass } from '@evenkeel/core';
export { type ControllerBuilder, controllerFor } from './builder/controller-for.ts';
export {
  type Injected,
  type InjectedValue,
  type InjectionRequests,
  type ListerRequest,
  listerOf,
} from './builder/injected.ts';
export { provider } from './builder/provider.ts';
export {
  type MutatingWebhookBuilder,
  mutatingWebhookFor,
  type ValidatingWebhookBuilder,
  validatingWebhookFor,
  type WebhookBuilder,
} from './builder/webhook-for.ts';
export type { KindCacheOptions } from './cache/cache.ts';
export { Lister, type ListerListOptions } from './cache/lister.ts';
export type { ControllerState } from './controller/running-controller.ts';
export type { LeaderElectionOptions } from './election/election-timing.ts';
export type { ElectionState } from './election/leader-election.ts';
export { type EventNote, EventRecorder, type RecordedEvent } from './event/event-recorder.ts';
export type { ManagerHealth, WatchHealth } from './health/manager-health.ts';
export { createPinoLogger, type LogLevel, type PinoLoggerOptions } from './log/pino-logger.ts';
export { createManager, Manager, type ManagerAddresses } from './manager/manager.ts';
export {
  type Counter,
  type Gauge,
  type Histogram,
  type HistogramOptions,
  type MetricFamily,
  type MetricLabels,
  type MetricOptions,
  MetricsRegistry,
} from './metrics/metrics-registry.ts';
export { type StorageMigrationOptions, storageMigration } from './migration/storage-migration.ts';
export type { HealthServerOptions } from './options/health-server-options.ts';
export type { ManagerOptions } from './options/manager-options.ts';
export type { ManagerRunOptions } from './options/manager-run-options.ts';
export type { MetricsOptions } from './options/metrics-options.ts';
export { defineOperator, Operator, type OperatorDeclaration } from './options/operator.ts';
export type { WebhookServerDeclaration, WebhookServerOptions } from './options/webhook-server-options.ts';
export {
  annotationsChanged,
  generationChanged,
  labelsChanged,
  resourceVersionChanged,
} from './predicate/change-predicates.ts';
export { allOf, anyOf, not } from './predicate/combined-predicates.ts';
export type { EventLoopState } from './process/event-loop-watch.ts';
export { ConditionSet } from './reconcile/condition-set.ts';
export type { DependentOptions, Dependents, DependentsOptions, DesiredChild } from './reconcile/dependents.ts';
export type { DependentState, DependentsReport } from './reconcile/dependents-report.ts';
export type { PruneOptions } from './reconcile/prune-children.ts';
export { type DerivedChild, ReconcileContext, type ReconcileEvents } from './reconcile/reconcile-context.ts';
export { awaitChange, type ReconcileResult, requeueAfter } from './reconcile/reconcile-result.ts';
export type { LoopFinding, ObjectWrite, ReconcileOutcome, ReconcileRun } from './reconcile/reconcile-run.ts';
export { TerminalError } from './reconcile/terminal-error.ts';
export { Trigger, type TriggerVerb } from './reconcile/trigger.ts';
export type { ManagerRunnable } from './runnable/manager-runnable.ts';
export type { SourceState } from './source/source.ts';

// For those who run or show an operator in another way, and for authors of libraries.

export { operatorMistakes } from './checks/check-operator.ts';
export { missingValidator } from './checks/missing-validator.ts';
export { injectionMistakes } from './injection/injection-mistakes.ts';
export type { InjectionMistake } from './injection/plan-injections.ts';
export { logText } from './log/log-text.ts';
export { placeOfError } from './log/place-of-error.ts';
export { listenForStopSignal, type ProcessPort, type StopSignal, type StopSignalName } from './process/stop-signal.ts';
export { listenForStrayErrors, type StrayError } from './process/stray-errors.ts';
export { controllerLabel } from './reconcile/apply-child.ts';
export { type DescribedRun, describeRun } from './reconcile/describe-run.ts';
