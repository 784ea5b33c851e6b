import type { Clock } from '@evenkeel/core';
import type { RunningController } from '../controller/running-controller.ts';
import type { ReconcileOutcome, ReconcileRun } from '../reconcile/reconcile-run.ts';
import type { WorkqueueObserver } from '../workqueue/workqueue.ts';
import type { CollectedSample, Counter, Histogram, MetricFamily, MetricsRegistry } from './metrics-registry.ts';

/** controller-runtime, pkg/internal/controller/metrics/metrics.go. */
const reconcileSeconds = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  ...[1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60],
];

/** `prometheus.ExponentialBuckets(10e-9, 10, 12)`; pkg/internal/metrics/workqueue.go. Multiplied in the same way to get the same digits. */
const queueSeconds = Array.from({ length: 11 }).reduce<number[]>(
  (bounds) => [...bounds, (bounds.at(-1) ?? 0) * 10],
  [10e-9],
);

/** The only priorities that sources use. */
const priorities = [0, -100];

type Result = 'success' | 'error' | 'requeue' | 'requeue_after';

/** controller-runtime's names for the outcomes of a run. A conflict is retried with backoff and is not an error. */
const resultOf: Record<ReconcileOutcome, Result> = {
  'await-change': 'success',
  gone: 'success',
  deleting: 'success',
  invalid: 'success',
  'requeue-after': 'requeue_after',
  conflict: 'requeue',
  failed: 'error',
  terminal: 'error',
};

/** The field of a loop may be a key of a map, of which there can be any number. */
const mostLoopSeries = 50;

interface Series {
  readonly results: Readonly<Record<Result, Counter>>;
  readonly errors: Counter;
  readonly terminalErrors: Counter;
  readonly panics: Counter;
  readonly seconds: Histogram;
  readonly unsentApplies: Counter;
  readonly mappingErrors: Counter;
}

/** Observes one controller. `wireController` calls it. */
export interface ControllerObserver {
  readonly queue: WorkqueueObserver;
  /** Called if an apply was not sent because it would have changed nothing. */
  readonly applyUnsent: () => void;
  /** Called if a mapper threw or returned an invalid key. */
  readonly mappingFailed: () => void;
}

/** The metrics of a manager's controllers and queues, with controller-runtime's names. All series exist from the start. */
export class ControllerMetrics {
  readonly #families: ReturnType<typeof familiesIn>;
  readonly #series = new Map<string, Series>();
  readonly #loops: MetricFamily<Counter>;

  /** @param controllers called for each scrape. */
  constructor(registry: MetricsRegistry, clock: Clock, controllers: () => readonly RunningController[]) {
    this.#families = familiesIn(registry);
    this.#loops = registry.counter({
      name: 'evenkeel_reconcile_loops_total',
      help: 'Detected reconcile loops, by the field that they write',
      labels: ['controller', 'kind', 'field'],
      mostSeries: mostLoopSeries,
    });
    collectStates(registry, controllers);
    collectQueues(registry, clock, controllers);
  }

  observer(controller: string): ControllerObserver {
    const series = this.#seriesOf(controller);
    const labels = { name: controller, controller };
    const adds = this.#families.adds.with(labels);
    const retries = this.#families.retries.with(labels);
    const queued = this.#families.queueSeconds.with(labels);
    const worked = this.#families.workSeconds.with(labels);
    return {
      applyUnsent: () => series.unsentApplies.increment(),
      mappingFailed: () => series.mappingErrors.increment(),
      queue: {
        added: () => adds.increment(),
        delayed: () => retries.increment(),
        handedOut: (queuedMs) => queued.observe(queuedMs / 1000),
        done: (workMs) => worked.observe(workMs / 1000),
      },
    };
  }

  runEnded({ controller, outcome, error, durationMs, loop }: ReconcileRun): void {
    const series = this.#seriesOf(controller);
    series.results[resultOf[outcome]].increment();
    series.seconds.observe(durationMs / 1000);
    if (outcome === 'failed' || outcome === 'terminal') series.errors.increment();
    if (outcome === 'terminal') series.terminalErrors.increment();
    if (isPanic(error)) series.panics.increment();
    if (loop?.isNew !== true) return;
    const [kind = ''] = loop.object.split(' ');
    this.#loops.with({ controller, kind, field: loop.path }).increment();
  }

  #seriesOf(controller: string): Series {
    const known = this.#series.get(controller);
    if (known !== undefined) return known;
    const families = this.#families;
    const labels = { controller };
    const result = (name: Result): Counter => families.reconciles.with({ controller, result: name });
    const series: Series = {
      results: {
        success: result('success'),
        error: result('error'),
        requeue: result('requeue'),
        requeue_after: result('requeue_after'),
      },
      errors: families.errors.with(labels),
      terminalErrors: families.terminalErrors.with(labels),
      panics: families.panics.with(labels),
      seconds: families.seconds.with(labels),
      unsentApplies: families.unsentApplies.with(labels),
      mappingErrors: families.mappingErrors.with(labels),
    };
    this.#series.set(controller, series);
    return series;
  }
}

/**
 * Reports whether an error is what would be a panic in Go: an error that the JavaScript engine throws, such as a read of a field
 * of undefined. Errors of Node and of fetch are not mistakes of the reconcile; they have a code or a cause.
 */
function isPanic(error: unknown): boolean {
  const isEngines = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return isEngines && !('code' in error) && error.cause === undefined;
}

function familiesIn(registry: MetricsRegistry) {
  const ofController = (name: string, help: string): MetricFamily<Counter> =>
    registry.counter({ name: `controller_runtime_${name}`, help, labels: ['controller'] });
  const ofQueue = ['name', 'controller'];
  return {
    reconciles: registry.counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Total number of reconciliations per controller',
      labels: ['controller', 'result'],
    }),
    errors: ofController('reconcile_errors_total', 'Total number of reconciliation errors per controller'),
    terminalErrors: ofController(
      'terminal_reconcile_errors_total',
      'Total number of terminal reconciliation errors per controller',
    ),
    panics: ofController('reconcile_panics_total', 'Total number of reconciliation panics per controller'),
    seconds: registry.histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'Length of time per reconciliation per controller',
      labels: ['controller'],
      buckets: reconcileSeconds,
    }),
    unsentApplies: registry.counter({
      name: 'evenkeel_unsent_applies_total',
      help: 'Applies that were not sent, because they would have changed nothing',
      labels: ['controller'],
    }),
    mappingErrors: registry.counter({
      name: 'evenkeel_mapping_errors_total',
      help: 'Times that a mapper of @Watches threw, or returned an invalid key',
      labels: ['controller'],
    }),
    adds: registry.counter({
      name: 'workqueue_adds_total',
      help: 'Total number of adds handled by workqueue',
      labels: ofQueue,
    }),
    retries: registry.counter({
      name: 'workqueue_retries_total',
      help: 'Total number of items added to the workqueue with a non-zero delay (rate-limited requeues, explicit RequeueAfter or AddAfter calls)',
      labels: ofQueue,
    }),
    queueSeconds: registry.histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long in seconds an item stays in workqueue before being requested',
      labels: ofQueue,
      buckets: queueSeconds,
    }),
    workSeconds: registry.histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long in seconds processing an item from workqueue takes.',
      labels: ofQueue,
      buckets: queueSeconds,
    }),
  };
}

function collectStates(registry: MetricsRegistry, controllers: () => readonly RunningController[]): void {
  type State = RunningController['state'];
  const collect = (type: 'counter' | 'gauge', name: string, help: string, read: (state: State) => number): void =>
    registry.collected({ type, name, help, labels: ['controller'] }, () =>
      controllers().map(({ state }) => ({ labels: { controller: state.name }, value: read(state) })),
    );
  collect(
    'counter',
    'controller_runtime_reconcile_timeouts_total',
    'Total number of reconciliation timeouts per controller',
    ({ timeouts }) => timeouts,
  );
  collect(
    'gauge',
    'controller_runtime_max_concurrent_reconciles',
    'Maximum number of concurrent reconciles per controller',
    ({ maxConcurrent }) => maxConcurrent,
  );
  collect(
    'gauge',
    'controller_runtime_active_workers',
    'Number of currently used workers per controller',
    ({ running }) => running.length,
  );
  collect(
    'gauge',
    'evenkeel_stuck_reconciles',
    'Reconciles that continue after their timeout',
    ({ running }) => running.filter(({ stuck }) => stuck).length,
  );
  collect(
    'gauge',
    'evenkeel_slowed_keys',
    'Keys that are delayed because of a reconcile loop',
    ({ looping }) => looping.length,
  );
  collect(
    'gauge',
    'evenkeel_controller_degraded',
    'Whether the sources of a controller are unreliable',
    ({ sources }) => (sources.some(({ degraded }) => degraded) ? 1 : 0),
  );
  collect('gauge', 'evenkeel_controller_synced', 'Whether the workers of a controller take keys', ({ synced }) =>
    synced ? 1 : 0,
  );
}

function collectQueues(registry: MetricsRegistry, clock: Clock, controllers: () => readonly RunningController[]): void {
  const labelsOf = ({ state: { name } }: RunningController) => ({ name, controller: name });
  const labels = ['name', 'controller'];
  registry.collected(
    {
      type: 'gauge',
      name: 'workqueue_depth',
      help: 'Current depth of workqueue by workqueue and priority',
      labels: [...labels, 'priority'],
    },
    () =>
      controllers().flatMap((controller): CollectedSample[] => {
        const depths = controller.queue.lengthByPriority;
        return priorities.map((priority) => ({
          labels: { ...labelsOf(controller), priority: String(priority) },
          value: depths.get(priority) ?? 0,
        }));
      }),
  );
  const collectAges = (name: string, help: string, read: (seconds: readonly number[]) => number): void =>
    registry.collected({ type: 'gauge', name, help, labels }, () => {
      const nowMs = clock.monotonic();
      return controllers().map((controller) => ({
        labels: labelsOf(controller),
        value: read(controller.queue.processingSince.map((sinceMs) => (nowMs - sinceMs) / 1000)),
      }));
    });
  collectAges(
    'workqueue_unfinished_work_seconds',
    "How many seconds of work has been done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.",
    (seconds) => seconds.reduce((sum, one) => sum + one, 0),
  );
  collectAges(
    'workqueue_longest_running_processor_seconds',
    'How many seconds has the longest running processor for workqueue been running.',
    (seconds) => Math.max(0, ...seconds),
  );
}
