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
  type KindFields,
  Logger,
  type ObjectValidator,
  Random,
  SilentLogger,
  SystemClock,
  SystemRandom,
  type Transport,
} from '@evenkeel/core';
import { Cache, checkNamespaces, type KindCacheOptions } from '../cache/index.ts';
import type { RunningController } from '../controller/running-controller.ts';
import type { LeaderElectionOptions } from '../election/election-timing.ts';
import type { LeaderElection } from '../election/leader-election.ts';
import { writeFence } from '../election/write-fence.ts';
import { ApiEventRecorder } from '../event/api-event-recorder.ts';
import { EventRecorder } from '../event/event-recorder.ts';
import { EventLoopWatch } from '../manager/event-loop-watch.ts';
import { RunnableGroups } from '../manager/runnable-groups.ts';
import { keepYoungGenerationSmall } from '../manager/young-generation.ts';
import { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import { WriteRecorder } from '../reconcile/write-recorder.ts';
import { WrittenCaches } from '../reconcile/written-caches.ts';
import { Outage } from '../source/outage.ts';
import { BlockageReport } from './blockage-report.ts';
import { checkClasses } from './check-classes.ts';
import { checkValidator } from './check-validator.ts';
import { type ConcreteClass, planControllers } from './controller-plan.ts';
import { explainRefusal } from './explain-refusal.ts';
import { construct, createInstances } from './instances.ts';
import { type ManagerHealth, managerHealth, ServerAnswers } from './manager-health.ts';
import type { ManagerRunnable } from './manager-runnable.ts';
import { type ManagerRunOptions, runManager } from './run-manager.ts';
import { informersOf, listerFor, wireController } from './wire-controller.ts';
import { wireElection } from './wire-election.ts';
import type { HealthServerOptions, ManagerServers, MetricsOptions } from './wire-servers.ts';

export type { ManagerHealth } from './manager-health.ts';

export interface ManagerOptions {
  /** Classes with `@Controller`, and what `controllerFor()` gives. */
  readonly controllers: readonly ConcreteClass[];
  /**
   * Classes that controllers, and other services, ask for in their constructors. One instance each, made when it is first
   * needed: what nobody asks for is not. `@postConstruct` and `@preDestroy` of inversify are called, of what is needed first
   * and last; the latter when the reconciles in hand are done.
   */
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
  /**
   * Which namespaces are watched, also those that are not there yet; cluster-scoped kinds always are. A Role in each is
   * enough for namespaced kinds. Default: all.
   */
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
  /** Where the kubelet's probes are answered. Default: nowhere. */
  readonly health?: HealthServerOptions;
  /** Where metrics are read. Default: nowhere, and nothing is measured. */
  readonly metrics?: MetricsOptions;
  /**
   * The fields of the kinds that this operator was built with, as `evenkeel generate` writes them where its configuration
   * says `fields`. A controller that reconciles, owns or watches one of those kinds runs nothing while the API server lacks
   * such a field, and would drop it from what is written; the health names what is missing. It is found out from the
   * server's OpenAPI document, for which no permission is needed. Default: nothing is compared.
   */
  readonly fields?: KindFields;
  /** Told of each run of a reconcile when it has ended. Must be quick; what it throws is logged. */
  readonly observer?: (run: ReconcileRun) => void;
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
   * Exit codes: 0 it was stopped and drained, or printed its help; 1 it failed, lost the leadership, or did not drain within
   * the grace period; 2 what it was given is wrong, and starting it again does not help: its settings, its kubeconfig, its
   * declarations. A mistake that a person can mend is told in one log line. A promise that was rejected and that nobody
   * awaits is told with the reconcile that left it behind, and ends the process with 1.
   */
  static async run(options: ManagerRunOptions): Promise<void> {
    keepYoungGenerationSmall();
    await runManager(options, (settled) => wireManager(settled, true));
  }
}

/**
 * Wires a manager from the declarations of its controllers, without starting it; for embedding. Touches no signal and
 * no global. Rejects with an EvenkeelError that names class, member and mend where the wiring is wrong.
 */
export function createManager(options: ManagerOptions): Promise<Manager> {
  return wireManager(options, false);
}

/** `isAwayTold`: something else says that the server does not answer, until it does. */
async function wireManager(options: ManagerOptions, isAwayTold: boolean): Promise<Manager> {
  checkNamespaces(options.namespaces, 'namespaces');
  const { clock = new SystemClock(), random = new SystemRandom(), logger = new SilentLogger(), namespaces } = options;
  const gracePeriodMs = durationMs(options.gracePeriod ?? '30s');
  checkValidator(options.validator);
  checkClasses('controllers', options.controllers);
  checkClasses('services', options.services);
  checkClasses('runnables', options.runnables);
  const runnableClasses = (options.runnables ?? []).filter((runnable) => typeof runnable === 'function');
  const services = [...(options.services ?? []), ...runnableClasses];
  const plans = planControllers(options.controllers, services);
  for (const { kind } of plans) options.validator?.prepare?.(kind);
  const userAgent = `evenkeel/${plans.map(({ name }) => name).join('+')}`;
  const way = await wayToServer(options, clock);
  const { connection } = way;
  const registry = new MetricsRegistry();
  const listens = options.health?.address !== undefined || options.metrics?.address !== undefined;
  const serverWiring = listens ? await import('./wire-servers.ts') : undefined;
  const plannedServers = serverWiring?.planServers(options.health, options.metrics);
  const measures =
    plannedServers?.metrics === undefined
      ? undefined
      : new (await import('../metrics/manager-metrics.ts')).ManagerMetrics(registry, clock, hostOf(connection));
  const transport = measures?.measured(way.transport) ?? way.transport;
  const fieldsSource =
    options.fields === undefined
      ? undefined
      : (await import('./wire-fields.ts')).fieldsSourceOf(options.fields, { transport, userAgent, clock, logger });
  const outage = new Outage(isAwayTold);
  const answers = new ServerAnswers(clock);
  const explain = explainRefusal({ plans, services, namespaces });
  const plainClient = createClient(transport, { clock, logger, userAgent, observers: [answers.observer], explain });
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
          (delayMs) => {
            blockage.forget();
            measures?.eventLoopDelayed(delayMs);
          },
        )
      : undefined;
  if (eventLoop !== undefined) groups.add('events', eventLoop);
  const elected =
    options.leaderElection === undefined
      ? undefined
      : wireElection(options.leaderElection, {
          ...{ connection, transport, userAgent, clock, random, logger, recorder },
          measured: measures === undefined ? undefined : (own) => measures.measured(own),
        });
  if (elected !== undefined) groups.add('election', elected.election);
  const clientWith = (...interceptors: readonly Interceptor[]): Client =>
    createClient(transport, {
      clock,
      logger,
      userAgent,
      interceptors: [writeRecorder.interceptor, ...interceptors],
      observers: [writeRecorder.observer, answers.observer],
      explain,
    });
  const client = elected === undefined ? clientWith() : clientWith(writeFence(elected.election));
  const planned = plans.map((plan) => ({ plan, informers: informersOf(plan, cache, namespaces) }));
  const instances = await createInstances({
    values: new Map<AnyClass, unknown>([
      [Client, client],
      [Clock, clock],
      [Random, random],
      [Logger, logger],
      [EventRecorder, recorder],
      [MetricsRegistry, registry],
    ]),
    services,
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
  measures?.watch({
    controllers: () => controllers,
    caches,
    isReady: () => manager.health.ready,
    ...(elected === undefined ? {} : { election: elected.election }),
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
        measures?.runEnded(run);
        options.observer?.(run);
      },
      validator: options.validator,
      fieldsSource,
      outage,
      measured: measures?.observer(plan.name),
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
  const election = elected?.election;
  const servers =
    serverWiring === undefined || plannedServers === undefined
      ? {}
      : await serverWiring.wireServers(plannedServers, {
          ...{ registry, measures, client: plainClient, clock, logger },
          health: () => manager.health,
        });
  for (const server of Object.values(servers)) groups.add('servers', server);
  const manager = new WiredManager({
    ...{ client, groups, controllers, caches, answers, election, eventLoop, clock, registry, servers, close },
  });
  return manager;
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

/** The label of requests; a transport that was given does not say where it leads. */
function hostOf(connection: Connection | undefined): string {
  return connection !== undefined && URL.canParse(connection.server) ? new URL(connection.server).host : 'unknown';
}

interface WiredParts {
  readonly client: Client;
  readonly groups: RunnableGroups;
  readonly controllers: readonly RunningController[];
  readonly caches: WrittenCaches;
  readonly election: LeaderElection | undefined;
  readonly answers: ServerAnswers;
  readonly eventLoop: EventLoopWatch | undefined;
  readonly registry: MetricsRegistry;
  readonly servers: ManagerServers;
  readonly clock: Clock;
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
    const { controllers, caches, answers, election, eventLoop, clock } = this.#parts;
    return managerHealth({
      controllers: controllers.map(({ state }) => state),
      usage: caches.usage,
      lateWrites: caches.late,
      answers,
      leadership: election?.state,
      eventLoop: eventLoop?.state,
      clock,
    });
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
