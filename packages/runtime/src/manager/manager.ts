import type { Client } from '@evenkeel/client';
import { EvenkeelError, type ManagerRecord, untilAborted } from '@evenkeel/core';
import { checkOptions } from '../checks/check-options.ts';
import type { ManagerHealth } from '../health/manager-health.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import type { ManagerRunOptions } from '../options/manager-run-options.ts';
import type { Operator } from '../options/operator.ts';
import { oldNodeProblem } from '../process/node-version.ts';
import { keepYoungGenerationSmall } from '../process/young-generation.ts';
import { type ManagerParts, type Surroundings, wireManager } from '../wiring/wire-manager.ts';

/**
 * The client, caches and controllers of one operator. Managers share nothing, so several may run in one process.
 * `createManager()` creates one; the main module of an operator calls {@link Manager.run} once.
 */
export abstract class Manager {
  /** The injected `Client`. */
  abstract readonly client: Client;
  abstract readonly health: ManagerHealth;
  /**
   * The injected `MetricsRegistry`. It always contains the metrics that services add, and the manager's own metrics if
   * `metrics.address` is set.
   */
  abstract readonly metrics: MetricsRegistry;
  /** The addresses on which it listens, from start to stop. For port 0 they have the port that the system chose. */
  abstract readonly addresses: { readonly health?: string; readonly metrics?: string };
  /**
   * Resolves with the first error after which the manager cannot continue, and then the manager stops. Without such an error
   * it never resolves. After `leadership-lost` there is no grace period, and this process should exit.
   */
  abstract readonly failure: Promise<unknown>;

  /**
   * Starts the caches and controllers, and resolves. The caches sync in the background, for as long as the server takes. If
   * a CRD or a permission is missing, only the controllers that need it wait for it.
   *
   * With leader election it resolves when this process stands by; the controllers start when it becomes the leader. A
   * manager can start only once. If something cannot start, the manager stops everything and throws the error.
   */
  abstract start(): Promise<void>;

  /** Resolves when every controller works, so not while this process stands by. Rejects with the signal's reason. */
  abstract waitUntilReady(signal?: AbortSignal): Promise<void>;

  /**
   * Accepts no new work, waits for the current runs, which may still read and write, then stops the caches and releases the
   * Lease. `drained` is true if everything finished within the grace period; otherwise the manager aborted the signals of the
   * rest. May be called again, and before `start`.
   */
  abstract stop(): Promise<{ drained: boolean }>;

  /**
   * Runs an operator: starts a manager, stops it on SIGTERM or SIGINT, and exits the process. A second signal more than
   * 500 ms after the first exits with 1 at once. While the API server cannot be reached, each attempt is one log line.
   *
   * A file, environment variables and flags override `options`, in that order. `--help` and docs/running.md list these
   * settings. A setting cannot need more permissions than `operator` declares, from which its roles are derived: see
   * `setting-not-declared`.
   *
   * @param operator the value of {@link defineOperator}, which evenkeel.config.ts imports too.
   * @param options what is known only at run time.
   *
   * Exit codes:
   * - 0: stopped by a signal, and everything finished within the grace period; or `--help`.
   * - 1: the manager or a `@postConstruct` method failed, the leadership was lost, or not everything finished in time.
   * - 2: a restart does not help. The settings, the kubeconfig or the decorators are invalid, there are neither controllers
   *   nor runnables, or `Manager.run` is already running in this process.
   *
   * An error that the user can fix is one log line. An unhandled promise rejection is logged with the run that caused it,
   * and the process exits with 1.
   */
  static async run(operator: Operator, options: ManagerRunOptions = {}): Promise<void> {
    if (oldNodeProblem(process) === undefined) keepYoungGenerationSmall();
    // createManager() does not need what this module imports.
    const { runManager } = await import('./run-manager.ts');
    await runManager(operator, options, (settled, shared) => wired(settled, shared));
  }
}

/**
 * Creates a manager that runs inside another program, without starting it. It does not use signals or globals. Rejects with an
 * EvenkeelError that names the class, the member and the fix if options or declarations are invalid.
 */
export async function createManager(options: ManagerOptions): Promise<Manager> {
  checkOptions(options, 'createManager');
  return await wired(options);
}

async function wired(options: ManagerOptions, surroundings?: Surroundings): Promise<WiredManager> {
  const { witness } = options.transport ?? {};
  if (witness === undefined) return new WiredManager(await wireManager(options, surroundings));
  const call = new Error();
  // Only test environments have a witness.
  const { WitnessedOptions } = await import('../witness/witnessed-manager.ts');
  const witnessed = new WitnessedOptions(options);
  const parts = await wireManager(witnessed.options, surroundings);
  const manager: WiredManager = new WiredManager(
    parts,
    witnessed.record(witness, { ...parts, call, stop: () => manager.stop() }),
  );
  return manager;
}

class WiredManager extends Manager {
  readonly client: Client;
  readonly #parts: ManagerParts;
  readonly #record: ManagerRecord | undefined;
  readonly #ending = new AbortController();
  #stopped: Promise<{ drained: boolean }> | undefined;

  constructor(parts: ManagerParts, record?: ManagerRecord) {
    super();
    this.client = parts.client;
    this.#parts = parts;
    this.#record = record;
    parts.groups.failure.then((error) => {
      record?.failed(error);
      this.#ending.abort(error);
      void this.stop();
    });
  }

  get health(): ManagerHealth {
    return this.#parts.health();
  }

  get metrics(): MetricsRegistry {
    return this.#parts.registry;
  }

  get addresses(): { readonly health?: string; readonly metrics?: string } {
    const { health, metrics } = this.#parts.servers;
    return {
      ...(health?.address === undefined ? {} : { health: health.address }),
      ...(metrics?.address === undefined ? {} : { metrics: metrics.address }),
    };
  }

  get failure(): Promise<unknown> {
    return this.#parts.groups.failure;
  }

  async start(): Promise<void> {
    const record = this.#record;
    try {
      record?.starting(new Error());
      await this.#parts.groups.start();
      record?.started();
    } catch (error) {
      if (!(error instanceof EvenkeelError && error.code === 'manager-started-twice')) {
        record?.failed(error);
        await this.stop();
      }
      throw error;
    }
  }

  async waitUntilReady(signal?: AbortSignal): Promise<void> {
    const { groups, controllers } = this.#parts;
    await untilAborted(
      groups.allStarted,
      signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal]),
    );
    await Promise.all(controllers.map((controller) => controller.waitUntilSynced(signal)));
  }

  stop(): Promise<{ drained: boolean }> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<{ drained: boolean }> {
    const { groups, close } = this.#parts;
    this.#record?.stopping();
    this.#ending.abort(new Error('the manager stops'));
    try {
      const { drained } = await groups.stop();
      const closed = await close();
      return { drained: drained && closed };
    } finally {
      this.#record?.stopped();
    }
  }
}
