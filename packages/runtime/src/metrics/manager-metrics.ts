import type { Clock, Transport } from '@evenkeel/core';
import type { RunningController } from '../controller/running-controller.ts';
import type { ElectionState } from '../election/leader-election.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import { addCacheMetrics, type MeasuredCaches } from './cache-metrics.ts';
import { ClientMetrics } from './client-metrics.ts';
import { ControllerMetrics, type ControllerObserver } from './controller-metrics.ts';
import type { Counter, Histogram, MetricsRegistry } from './metrics-registry.ts';
import { addProcessMetrics } from './process-metrics.ts';

/** The parts of a manager that are measured at each scrape. */
export interface MeasuredManager {
  readonly controllers: () => readonly RunningController[];
  readonly caches: MeasuredCaches;
  readonly isReady: () => boolean;
  /** Absent without leader election. */
  readonly election?: { readonly leaseName: string; readonly state: ElectionState };
}

/** The event loop is measured ten times a second, and a block of more than a second is logged. */
const eventLoopSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** All metrics of one manager: those of controller-runtime with their names, and `evenkeel_*` for those without an equivalent in Go. */
export class ManagerMetrics {
  readonly #registry: MetricsRegistry;
  readonly #clock: Clock;
  readonly #client: ClientMetrics;
  readonly #eventLoop: Histogram;
  readonly #certificateReads: Counter;
  readonly #certificateErrors: Counter;
  #controllers: ControllerMetrics | undefined;

  /** @param host the host of the API server, for the label of request metrics. */
  constructor(registry: MetricsRegistry, clock: Clock, host: string) {
    this.#registry = registry;
    this.#clock = clock;
    this.#client = new ClientMetrics(registry, clock, host);
    this.#eventLoop = registry
      .histogram({
        name: 'evenkeel_event_loop_delay_seconds',
        help: 'Delay of the event loop, measured ten times a second',
        buckets: eventLoopSeconds,
      })
      .with();
    this.#certificateReads = registry
      .counter({ name: 'certwatcher_read_certificate_total', help: 'Total number of certificate reads' })
      .with();
    this.#certificateErrors = registry
      .counter({ name: 'certwatcher_read_certificate_errors_total', help: 'Total number of certificate read errors' })
      .with();
    addProcessMetrics(registry);
  }

  measured(transport: Transport): Transport {
    return this.#client.measured(transport);
  }

  /** Counts reads of a server's certificate. */
  async certificateRead<T>(read: () => Promise<T>): Promise<T> {
    this.#certificateReads.increment();
    try {
      return await read();
    } catch (error) {
      this.#certificateErrors.increment();
      throw error;
    }
  }

  /** Must be called once, before the first controller is created. */
  watch({ controllers, caches, isReady, election }: MeasuredManager): void {
    this.#controllers = new ControllerMetrics(this.#registry, this.#clock, controllers);
    addCacheMetrics(this.#registry, this.#clock, caches);
    this.#registry.collected(
      { type: 'gauge', name: 'evenkeel_ready', help: 'Whether the manager is ready, as reported by /readyz' },
      () => [{ value: isReady() ? 1 : 0 }],
    );
    if (election === undefined) return;
    this.#registry.collected(
      {
        type: 'gauge',
        name: 'leader_election_master_status',
        help: "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
        labels: ['name'],
      },
      () => [{ labels: { name: election.leaseName }, value: election.state.role === 'leader' ? 1 : 0 }],
    );
  }

  /** Returns the observer of the controller with that name, and creates its series. */
  observer(controller: string): ControllerObserver {
    if (this.#controllers === undefined) throw new Error('bug: a controller is observed before its manager');
    return this.#controllers.observer(controller);
  }

  runEnded(run: ReconcileRun): void {
    this.#controllers?.runEnded(run);
  }

  eventLoopDelayed(delayMs: number): void {
    this.#eventLoop.observe(delayMs / 1000);
  }
}
