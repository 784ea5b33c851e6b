import type { Client } from '@evenkeel/client';
import { EvenkeelError, untilAborted } from '@evenkeel/core';
import { checkOptions } from '../checks/check-options.ts';
import type { ManagerHealth } from '../health/manager-health.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import type { ManagerRunOptions } from '../options/manager-run-options.ts';
import { oldNodeProblem } from '../process/node-version.ts';
import { keepYoungGenerationSmall } from '../process/young-generation.ts';
import { type ManagerParts, wireManager } from '../wiring/wire-manager.ts';

/**
 * Everything of one operator: its client, caches and controllers. Nothing is shared between managers, so several may run
 * in one process. Made by `createManager()`; an operator's main module calls {@link Manager.run}, once.
 */
export abstract class Manager {
  /** What is injected as `Client`. */
  abstract readonly client: Client;
  abstract readonly health: ManagerHealth;
  /**
   * What is measured, and injected as `MetricsRegistry`. The manager's own metrics are in it where `metrics.address` was
   * given; what services add to it is, in any case.
   */
  abstract readonly metrics: MetricsRegistry;
  /** Where it listens, from its start to its stop: with the port that the system chose for port 0. */
  abstract readonly addresses: { readonly health?: string; readonly metrics?: string };
  /**
   * Resolves with the first error that the manager cannot go on after, and stops it then; never where there is none. An
   * error `leadership-lost` leaves no grace period, and after it this process should end.
   */
  abstract readonly failure: Promise<unknown>;

  /**
   * Starts caches and controllers and resolves; syncing goes on behind it, for as long as the server takes. A kind that
   * is not served, or not granted, holds back the controllers that need it and no others, until it is.
   *
   * With leader election it resolves when this process stands by; the controllers start when it leads. Once only. Where
   * something cannot start, everything is stopped and the error thrown.
   */
  abstract start(): Promise<void>;

  /** Resolves when every controller works, so not while this process stands by; rejects with the signal's reason. */
  abstract waitUntilReady(signal?: AbortSignal): Promise<void>;

  /**
   * Takes no new work, waits for the reconciles in hand, which may go on reading and writing, then stops the caches and
   * gives back the Lease. Resolves with whether everything ended by itself within the grace period; what did not has had
   * its signal aborted. Safe to call again, and before `start`.
   */
  abstract stop(): Promise<{ drained: boolean }>;

  /**
   * An operator's whole life: starts a manager, stops it on SIGTERM or SIGINT, and ends the process. A second signal, more
   * than 500 ms after the first, ends it at once with 1. While the API server cannot be reached, each try is one log line.
   *
   * What may differ between deployments is read from a file, the environment and the command line, which win over
   * `options` in that order; `--help` lists it, and so does docs/running.md.
   *
   * Exit codes: 0 it was stopped and drained, or printed its help; 1 it failed, a `@postConstruct` of it too, lost the
   * leadership, or did not drain within the grace period; 2 what it was given is wrong, and starting it again does not help:
   * its settings, its kubeconfig, its declarations, neither controllers nor runnables, or that it was called before in this
   * process. A mistake that a person can mend is told in one log line. A promise that was rejected and that nobody
   * awaits is told with the reconcile that left it behind, and ends the process with 1.
   */
  static async run(options: ManagerRunOptions): Promise<void> {
    if (oldNodeProblem(process) === undefined) keepYoungGenerationSmall();
    // Nothing that it loads is needed by createManager().
    const { runManager } = await import('./run-manager.ts');
    await runManager(options, async (settled, shared) => new WiredManager(await wireManager(settled, shared)));
  }
}

/**
 * Wires a manager from the declarations of its controllers, without starting it; for embedding. Touches no signal and
 * no global. Rejects with an EvenkeelError that names class, member and mend where the wiring is wrong.
 */
export async function createManager(options: ManagerOptions): Promise<Manager> {
  checkOptions(options, 'createManager');
  return new WiredManager(await wireManager(options));
}

class WiredManager extends Manager {
  readonly client: Client;
  readonly #parts: ManagerParts;
  readonly #ending = new AbortController();
  #stopped: Promise<{ drained: boolean }> | undefined;

  constructor(parts: ManagerParts) {
    super();
    this.client = parts.client;
    this.#parts = parts;
    parts.groups.failure.then((error) => {
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
    try {
      await this.#parts.groups.start();
    } catch (error) {
      if (!(error instanceof EvenkeelError && error.code === 'manager-started-twice')) await this.stop();
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
    this.#ending.abort(new Error('the manager stops'));
    const { drained } = await groups.stop();
    const closed = await close();
    return { drained: drained && closed };
  }
}
