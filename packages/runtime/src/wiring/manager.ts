import { hostname } from 'node:os';
import { Client, type Connection, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import {
  type AnyClass,
  Clock,
  type Duration,
  durationMs,
  Logger,
  type ObjectValidator,
  Random,
  SilentLogger,
  SystemClock,
  SystemRandom,
  type Transport,
} from '@evenkeel/core';
import { Cache } from '../cache/index.ts';
import type { ControllerState, RunningController } from '../controller/running-controller.ts';
import { ApiEventRecorder } from '../event/api-event-recorder.ts';
import { EventRecorder } from '../event/event-recorder.ts';
import { createPinoLogger } from '../log/pino-logger.ts';
import { runUntilSignal } from '../manager/run-until-signal.ts';
import { RunnableGroups } from '../manager/runnable-groups.ts';
import type { ProcessPort } from '../manager/stop-signal.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import { WriteRecorder } from '../reconcile/write-recorder.ts';
import { WrittenCaches } from '../reconcile/written-caches.ts';
import { type ConcreteClass, planControllers } from './controller-plan.ts';
import { construct, createInstances } from './instances.ts';
import { informersOf, listerFor, wireController } from './wire-controller.ts';

export interface ManagerOptions {
  /** Classes with `@Controller`. */
  readonly controllers: readonly ConcreteClass[];
  /** Classes that controllers, and other services, ask for in their constructors. One instance each. */
  readonly services?: readonly ConcreteClass[];
  /** Carries requests to the API server; the caller closes it. Goes before `connection`. */
  readonly transport?: Transport;
  /** Where the API server is. Goes before `kubeconfig`. */
  readonly connection?: Connection;
  /** A kubeconfig file. Default: `KUBECONFIG`, the pod's service account, `~/.kube/config`, the first there is. */
  readonly kubeconfig?: string;
  /** Which namespaces are watched; cluster-scoped kinds always are. Default: all. */
  readonly namespaces?: readonly string[];
  /** Default: silent. `Manager.run` has one that writes JSON lines to standard output. */
  readonly logger?: Logger;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: the system's. */
  readonly random?: Random;
  /** How long work in hand may go on after a stop. Default `'30s'`. */
  readonly gracePeriod?: Duration;
  /**
   * Checks each object before the reconcile of its kind sees it: what a looser CRD let through, or what no CRD can say.
   * Default: none, for the API server has checked what the CRD says.
   *
   * An object with findings is not reconciled until a change makes it pass, whatever else wakes its key: its children are
   * left as they are. That is told by a Warning Event `Invalid`, by one line of the log for each generation, and, where
   * the class of its status has `@Conditions()`, by the condition `Valid` with status `False` and reason `Invalid`, which
   * becomes `True` with the first reconcile after it passes. An object that has always passed gets no such condition.
   *
   * Not checked: objects being deleted, so that no finalizer hangs on it, and those that are only owned or watched. A
   * validator that throws fails the run with `validator-failed`: it is logged with the object, and tried again with
   * backoff.
   */
  readonly validator?: ObjectValidator;
  /** Told of each run of a reconcile when it has ended. Must be quick; what it throws is logged. */
  readonly observer?: (run: ReconcileRun) => void;
}

export interface ManagerHealth {
  /** Every controller's sources have synced, and no run is beyond its timeout. */
  readonly ready: boolean;
  /** Why not, a sentence each, with what to do. */
  readonly problems: readonly string[];
  readonly controllers: readonly ControllerState[];
  /** Own writes that no cache had seen after 5 s. */
  readonly lateWrites: number;
}

/**
 * Everything of one operator: its client, caches and controllers. Nothing is shared between managers, so several may run
 * in one process. Made by `createManager()`; an operator's main module calls {@link Manager.run}.
 */
export abstract class Manager {
  /** What is injected as `Client`. */
  abstract readonly client: Client;
  abstract readonly health: ManagerHealth;
  /** Resolves with the first error that the manager cannot go on after; never where there is none. */
  abstract readonly failure: Promise<unknown>;

  /**
   * Starts caches and controllers and resolves; syncing goes on behind it, for as long as the server takes. A kind that
   * is not served, or not granted, holds back the controllers that need it and no others, until it is.
   */
  abstract start(): Promise<void>;

  /** Resolves when every controller works; rejects with the signal's reason. */
  abstract waitUntilReady(signal?: AbortSignal): Promise<void>;

  /**
   * Takes no new work, waits for the reconciles in hand, then stops the caches. Resolves with whether everything ended by
   * itself within the grace period; what did not has had its signal aborted. Safe to call again, and before `start`.
   */
  abstract stop(): Promise<{ drained: boolean }>;

  /**
   * An operator's whole life: starts a manager, stops it on SIGTERM or SIGINT, and ends the process: with 0 when it
   * drained, with 1 when it failed or did not. A second signal, more than 500 ms after the first, ends it at once with 1.
   *
   * A mistake that a person can mend is told in one log line.
   */
  static async run(options: ManagerRunOptions): Promise<void> {
    const { process: port = process, clock = new SystemClock(), logger = await createPinoLogger() } = options;
    const created = Promise.withResolvers<unknown>();
    let manager: Manager | undefined;
    await runUntilSignal(
      {
        start: async () => {
          manager = await createManager({ ...options, clock, logger });
          manager.failure.then(created.resolve);
          await manager.start();
          logger.info('manager started', { controllers: manager.health.controllers.map(({ name }) => name) });
        },
        stop: async () => manager?.stop() ?? { drained: true },
        failure: created.promise,
      },
      { process: port, clock, logger },
    );
  }
}

export interface ManagerRunOptions extends ManagerOptions {
  /** Where signals come from and where the end goes. Default: this process. */
  readonly process?: ProcessPort;
}

/**
 * Wires a manager from the declarations of its controllers, without starting it; for embedding. Touches no signal and
 * no global. Rejects with an EvenkeelError that names class, member and mend where the wiring is wrong.
 */
export async function createManager(options: ManagerOptions): Promise<Manager> {
  const { clock = new SystemClock(), random = new SystemRandom(), logger = new SilentLogger(), namespaces } = options;
  const gracePeriodMs = durationMs(options.gracePeriod ?? '30s');
  const plans = planControllers(options.controllers);
  for (const { kind } of plans) options.validator?.prepare?.(kind);
  const userAgent = `evenkeel/${plans.map(({ name }) => name).join('+')}`;
  const transport = options.transport ?? httpsTransport(await connectionOf(options, clock));
  const plainClient = createClient(transport, { clock, logger, userAgent });
  const cache = new Cache({ client: plainClient, clock, random, logger });
  const caches = new WrittenCaches(cache, clock, logger);
  const writeRecorder = new WriteRecorder(caches);
  const client = createClient(transport, {
    clock,
    logger,
    userAgent,
    interceptors: [writeRecorder.interceptor],
    observers: [writeRecorder.observer],
  });
  const groups = new RunnableGroups(clock);
  const recorderOf = (reportingController: string): ApiEventRecorder => {
    const reportingInstance = `${reportingController}-${hostname()}`;
    const recorder = new ApiEventRecorder({
      client: plainClient,
      reportingController,
      reportingInstance,
      clock,
      random,
      logger,
    });
    groups.add('events', recorder);
    return recorder;
  };
  const planned = plans.map((plan) => ({ plan, informers: informersOf(plan, cache, namespaces) }));
  const instances = await createInstances({
    values: new Map<AnyClass, unknown>([
      [Client, client],
      [Clock, clock],
      [Random, random],
      [Logger, logger],
      [EventRecorder, recorderOf('evenkeel')],
    ]),
    services: options.services ?? [],
    controllers: options.controllers,
    listerFor: (target, declaration) => listerFor(target, declaration, planned, writeRecorder),
  });
  const stopCaches = new AbortController();
  groups.add('caches', {
    name: 'cache',
    start: async () => cache.start(stopCaches.signal),
    stop: async () => {
      stopCaches.abort(new Error('the manager stops'));
      await cache.stopped();
      await instances.dispose();
    },
  });
  const controllers: RunningController[] = [];
  for (const { plan, informers } of planned) {
    const instance = await construct(instances, plan.controllerClass);
    const recorder = recorderOf(plan.name);
    const parts = {
      client,
      recorder,
      writeRecorder,
      clock,
      logger,
      observer: options.observer,
      validator: options.validator,
    };
    const controller = wireController(plan, instance, informers, parts);
    controllers.push(controller);
    groups.add('controllers', controller);
  }
  const close = options.transport === undefined ? () => transport.close() : async () => {};
  return new WiredManager({ client, groups, controllers, caches, gracePeriodMs, close });
}

async function connectionOf({ connection, kubeconfig }: ManagerOptions, clock: Clock): Promise<Connection> {
  return connection ?? (await loadConnection({ kubeconfig, clock }));
}

interface WiredParts {
  readonly client: Client;
  readonly groups: RunnableGroups;
  readonly controllers: readonly RunningController[];
  readonly caches: WrittenCaches;
  readonly gracePeriodMs: number;
  readonly close: () => Promise<void>;
}

class WiredManager extends Manager {
  readonly client: Client;
  readonly #parts: WiredParts;

  constructor(parts: WiredParts) {
    super();
    this.client = parts.client;
    this.#parts = parts;
  }

  get health(): ManagerHealth {
    const controllers = this.#parts.controllers.map(({ state }) => state);
    const problems = controllers.flatMap(({ name, sources, running }) => [
      ...sources.flatMap(({ problem }) => (problem === undefined ? [] : [`controller ${name} ${problem}`])),
      ...running
        .filter(({ stuck }) => stuck)
        .map(({ key, forMs }) => `controller ${name} has reconciled ${key} for ${Math.round(forMs / 1000)} s`),
    ]);
    const stuck = controllers.some(({ running }) => running.some((run) => run.stuck));
    return {
      ready: !stuck && controllers.every(({ synced }) => synced),
      problems,
      controllers,
      lateWrites: this.#parts.caches.late,
    };
  }

  get failure(): Promise<unknown> {
    return this.#parts.groups.failure;
  }

  start(): Promise<void> {
    return this.#parts.groups.start();
  }

  async waitUntilReady(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#parts.controllers.map((controller) => controller.waitUntilSynced(signal)));
  }

  async stop(): Promise<{ drained: boolean }> {
    const { groups, gracePeriodMs, close } = this.#parts;
    const stopped = await groups.stop(gracePeriodMs);
    await close();
    return stopped;
  }
}
