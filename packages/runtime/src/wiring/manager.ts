import { hostname } from 'node:os';
import {
  Client,
  type Connection,
  createClient,
  httpsTransport,
  type Interceptor,
  loadConnection,
} from '@evenkeel/client';
import {
  type AnyClass,
  Clock,
  type Duration,
  durationMs,
  EvenkeelError,
  Logger,
  type ObjectValidator,
  Random,
  SilentLogger,
  SystemClock,
  SystemRandom,
  type Transport,
} from '@evenkeel/core';
import { Cache, type CacheUsage, type KindCacheOptions } from '../cache/index.ts';
import type { ControllerState, RunningController } from '../controller/running-controller.ts';
import type { LeaderElectionOptions } from '../election/election-timing.ts';
import type { ElectionState, LeaderElection } from '../election/leader-election.ts';
import { writeFence } from '../election/write-fence.ts';
import { ApiEventRecorder } from '../event/api-event-recorder.ts';
import { EventRecorder } from '../event/event-recorder.ts';
import { type EventLoopState, EventLoopWatch } from '../manager/event-loop-watch.ts';
import { RunnableGroups } from '../manager/runnable-groups.ts';
import { keepYoungGenerationSmall } from '../manager/young-generation.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import { WriteRecorder } from '../reconcile/write-recorder.ts';
import { WrittenCaches } from '../reconcile/written-caches.ts';
import { BlockageReport } from './blockage-report.ts';
import { checkValidator } from './check-validator.ts';
import { type ConcreteClass, planControllers } from './controller-plan.ts';
import { construct, createInstances } from './instances.ts';
import type { ManagerRunnable } from './manager-runnable.ts';
import { type ManagerRunOptions, runManager } from './run-manager.ts';
import { informersOf, listerFor, wireController } from './wire-controller.ts';
import { wireElection } from './wire-election.ts';

export interface ManagerOptions {
  /** Classes with `@Controller`. */
  readonly controllers: readonly ConcreteClass[];
  /** Classes that controllers, and other services, ask for in their constructors. One instance each. */
  readonly services?: readonly ConcreteClass[];
  /** Work beside the controllers: classes, made as services are, or objects. */
  readonly runnables?: readonly (ConcreteClass<ManagerRunnable> | ManagerRunnable)[];
  /**
   * Lets one process at a time work, of all that name the same Lease; others stand by with full caches. Only who leads
   * writes with the manager's client. A process that has lost the Lease must end: {@link Manager.run} ends it with 1.
   * Default: none, every process works.
   */
  readonly leaderElection?: LeaderElectionOptions;
  /** Carries requests to the API server; the caller closes it. Goes before `connection`. */
  readonly transport?: Transport;
  /** Where the API server is. Goes before `kubeconfig`. */
  readonly connection?: Connection;
  /** A kubeconfig file. Default: `KUBECONFIG`, the pod's service account, `~/.kube/config`, the first there is. */
  readonly kubeconfig?: string;
  /** Which namespaces are watched; cluster-scoped kinds always are. Default: all. */
  readonly namespaces?: readonly string[];
  /**
   * How single kinds are cached: which namespaces, labels and fields, which paths are kept, what is done to objects before
   * they are stored. Stands in for what declarations leave out. A kind that a controller reconciles or owns is cached
   * whole: `keep` and `transform` of one are refused with `invalid-option`. Default: as declared.
   */
  readonly cache?: readonly KindCacheOptions[];
  /** Default: silent. `Manager.run` has one that writes JSON lines to standard output, from its setting `logLevel` on. */
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
  /**
   * Every controller's sources have synced, and no run is beyond its timeout. Also where this process stands by, so that a
   * Deployment can roll; not where it has lost the Lease, or cannot become its holder.
   */
  readonly ready: boolean;
  /** Why not, a sentence each, with what to do. */
  readonly problems: readonly string[];
  readonly controllers: readonly ControllerState[];
  /** Own writes that no cache had seen after 5 s. */
  readonly lateWrites: number;
  /** What the caches hold: for each kind, how many objects, and about how much memory they take. */
  readonly cached: readonly CacheUsage[];
  /** Absent without leader election. */
  readonly leadership?: ElectionState;
  /** Absent where the manager was given a clock: an event loop runs by the machine's. */
  readonly eventLoop?: EventLoopState;
}

/**
 * Everything of one operator: its client, caches and controllers. Nothing is shared between managers, so several may run
 * in one process. Made by `createManager()`; an operator's main module calls {@link Manager.run}.
 */
export abstract class Manager {
  /** What is injected as `Client`. */
  abstract readonly client: Client;
  abstract readonly health: ManagerHealth;
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
   * Exit codes: 0 it was stopped and drained, or printed its help; 1 it failed, lost the leadership, or did not drain within
   * the grace period; 2 what it was given is wrong, and starting it again does not help: its settings, its kubeconfig, its
   * declarations. A mistake that a person can mend is told in one log line. A promise that was rejected and that nobody
   * awaits is told with the reconcile that left it behind, and ends the process with 1.
   */
  static async run(options: ManagerRunOptions): Promise<void> {
    keepYoungGenerationSmall();
    await runManager(options, createManager);
  }
}

/**
 * Wires a manager from the declarations of its controllers, without starting it; for embedding. Touches no signal and
 * no global. Rejects with an EvenkeelError that names class, member and mend where the wiring is wrong.
 */
export async function createManager(options: ManagerOptions): Promise<Manager> {
  const { clock = new SystemClock(), random = new SystemRandom(), logger = new SilentLogger(), namespaces } = options;
  const gracePeriodMs = durationMs(options.gracePeriod ?? '30s');
  checkValidator(options.validator);
  const plans = planControllers(options.controllers);
  for (const { kind } of plans) options.validator?.prepare?.(kind);
  const userAgent = `evenkeel/${plans.map(({ name }) => name).join('+')}`;
  const { transport, connection } = await wayToServer(options, clock);
  const plainClient = createClient(transport, { clock, logger, userAgent });
  const cache = new Cache({ client: plainClient, clock, random, logger, kinds: options.cache ?? [] });
  const caches = new WrittenCaches(cache, clock, logger);
  const writeRecorder = new WriteRecorder(caches);
  const groups = new RunnableGroups({ clock, logger, gracePeriodMs });
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
  const recorder = recorderOf('evenkeel');
  const controllers: RunningController[] = [];
  const blockage = new BlockageReport(() => controllers.map(({ state }) => state), logger);
  const eventLoop =
    options.clock === undefined
      ? new EventLoopWatch(
          clock,
          (forMs) => blockage.tell(forMs),
          () => blockage.forget(),
        )
      : undefined;
  if (eventLoop !== undefined) groups.add('events', eventLoop);
  const elected =
    options.leaderElection === undefined
      ? undefined
      : wireElection(options.leaderElection, { connection, transport, userAgent, clock, random, logger, recorder });
  if (elected !== undefined) groups.add('election', elected.election);
  const clientWith = (...interceptors: readonly Interceptor[]): Client =>
    createClient(transport, {
      clock,
      logger,
      userAgent,
      interceptors: [writeRecorder.interceptor, ...interceptors],
      observers: [writeRecorder.observer],
    });
  const client = elected === undefined ? clientWith() : clientWith(writeFence(elected.election));
  const planned = plans.map((plan) => ({ plan, informers: informersOf(plan, cache, namespaces) }));
  const runnableClasses = (options.runnables ?? []).filter((runnable) => typeof runnable === 'function');
  const instances = await createInstances({
    values: new Map<AnyClass, unknown>([
      [Client, client],
      [Clock, clock],
      [Random, random],
      [Logger, logger],
      [EventRecorder, recorder],
    ]),
    services: [...(options.services ?? []), ...runnableClasses],
    controllers: options.controllers,
    listerFor: (target, declaration) => listerFor(target, declaration, planned, writeRecorder),
    logger,
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
  for (const { plan, informers } of planned) {
    const instance = await construct(instances, plan.controllerClass);
    const parts = {
      client,
      recorder: recorderOf(plan.name),
      writeRecorder,
      clock,
      random,
      logger,
      observer: (run: ReconcileRun) => {
        blockage.ended(run);
        options.observer?.(run);
      },
      validator: options.validator,
    };
    const controller = wireController(plan, instance, informers, parts);
    controllers.push(controller);
    groups.add('leader', controller);
  }
  for (const given of options.runnables ?? []) {
    const runnable = typeof given === 'function' ? await construct(instances, given) : given;
    const { onEveryReplica = false, name = runnable.constructor.name } = runnable;
    groups.add(onEveryReplica ? 'others' : 'leader', {
      name,
      start: (failed) => runnable.start(failed, onEveryReplica ? clientWith() : client),
      stop: (abort) => runnable.stop(abort),
    });
  }
  const close = async (): Promise<void> => {
    // Also of a manager that was never started.
    await instances.dispose();
    await elected?.close();
    if (options.transport === undefined) await transport.close();
  };
  return new WiredManager({ client, groups, controllers, caches, election: elected?.election, eventLoop, close });
}

/** The transport of a manager; the connection where the transport is the manager's own. */
async function wayToServer(
  { transport, connection, kubeconfig }: ManagerOptions,
  clock: Clock,
): Promise<{ transport: Transport; connection?: Connection }> {
  if (transport !== undefined) return { transport };
  const found = connection ?? (await loadConnection({ kubeconfig, clock }));
  return { transport: httpsTransport(found), connection: found };
}

interface WiredParts {
  readonly client: Client;
  readonly groups: RunnableGroups;
  readonly controllers: readonly RunningController[];
  readonly caches: WrittenCaches;
  readonly election: LeaderElection | undefined;
  readonly eventLoop: EventLoopWatch | undefined;
  readonly close: () => Promise<void>;
}

class WiredManager extends Manager {
  readonly client: Client;
  readonly #parts: WiredParts;
  readonly #ending = new AbortController();

  constructor(parts: WiredParts) {
    super();
    this.client = parts.client;
    this.#parts = parts;
    parts.groups.failure.then((error) => {
      this.#ending.abort(error);
      void this.stop();
    });
  }

  get health(): ManagerHealth {
    const controllers = this.#parts.controllers.map(({ state }) => state);
    const problems = controllers.flatMap(({ name, sources, running }) => [
      ...sources.flatMap(({ problem }) => (problem === undefined ? [] : [`controller ${name} ${problem}`])),
      ...running
        .filter(({ stuck }) => stuck)
        .map(({ key, forMs }) => `controller ${name} has reconciled ${key} for ${Math.round(forMs / 1000)} s`),
    ]);
    const leadership = this.#parts.election?.state;
    const stuck = controllers.some(({ running }) => running.some((run) => run.stuck));
    const synced = controllers.every((controller) =>
      leadership?.role === 'candidate' ? controller.sources.every((source) => source.synced) : controller.synced,
    );
    const canLead =
      leadership === undefined ||
      leadership.role === 'leader' ||
      (leadership.role === 'candidate' && leadership.problem === undefined);
    if (leadership?.problem !== undefined) problems.push(leadership.problem);
    if (leadership?.role === 'lost') problems.push('another process leads; this one writes nothing more and must end');
    return {
      ready: !stuck && synced && canLead,
      problems,
      controllers,
      lateWrites: this.#parts.caches.late,
      cached: this.#parts.caches.usage,
      ...(leadership === undefined ? {} : { leadership }),
      ...(this.#parts.eventLoop === undefined ? {} : { eventLoop: this.#parts.eventLoop.state }),
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
    await within(
      groups.allStarted,
      signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal]),
    );
    await Promise.all(controllers.map((controller) => controller.waitUntilSynced(signal)));
  }

  async stop(): Promise<{ drained: boolean }> {
    const { groups, close } = this.#parts;
    this.#ending.abort(new Error('the manager stops'));
    const stopped = await groups.stop();
    await close();
    return stopped;
  }
}

/** What `promise` resolves to, or the signal's reason as a rejection, whichever comes first. */
function within<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
