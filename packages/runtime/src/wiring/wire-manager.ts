import { hostname } from 'node:os';
import {
  Client,
  type Connection,
  createClient,
  httpsTransport,
  type Interceptor,
  loadConnection,
} from '@evenkeel/client';
import type { ControllerPlan } from '@evenkeel/core';
import {
  type AnyClass,
  Clock,
  Logger,
  Random,
  SilentLogger,
  SystemClock,
  SystemRandom,
  type Transport,
} from '@evenkeel/core';
import { Cache } from '../cache/cache.ts';
import type { ManagerCaller } from '../checks/check-options.ts';
import { planManager } from '../checks/plan-manager.ts';
import type { RunningController } from '../controller/running-controller.ts';
import { writeFence } from '../election/write-fence.ts';
import { ApiEventRecorder } from '../event/api-event-recorder.ts';
import { EventRecorder } from '../event/event-recorder.ts';
import { BlockageReport } from '../health/blockage-report.ts';
import { type ManagerHealth, managerHealth, ServerAnswers } from '../health/manager-health.ts';
import { construct, createInstances, type Instances } from '../injection/instances.ts';
import { LifeCycle } from '../injection/life-cycle.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import { EventLoopWatch } from '../process/event-loop-watch.ts';
import { NamespaceFence } from '../reconcile/namespace-fence.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import { WriteRecorder } from '../reconcile/write-recorder.ts';
import { WrittenCaches } from '../reconcile/written-caches.ts';
import { RunnableGroups } from '../runnable/runnable-groups.ts';
import { Outage } from '../source/outage.ts';
import { explainRefusal } from './explain-refusal.ts';
import { informersOf, listerFor } from './plan-informers.ts';
import { wireController } from './wire-controller.ts';
import { wireElection } from './wire-election.ts';
import type { ManagerServers } from './wire-servers.ts';

/** What a manager consists of. */
export interface ManagerParts {
  readonly client: Client;
  /** What is started and stopped, in its order. */
  readonly groups: RunnableGroups;
  readonly controllers: readonly RunningController[];
  readonly registry: MetricsRegistry;
  readonly servers: ManagerServers;
  readonly health: () => ManagerHealth;
  /** To be called when all have stopped, also where nothing was started. Says whether all ended within a grace period. */
  readonly close: () => Promise<boolean>;
}

/** What whoever runs a manager shares with it. */
export interface Surroundings {
  /** Which function a user called: what is wrong is told of its options. Default: createManager. */
  readonly caller?: ManagerCaller;
  /** What is told elsewhere of a server that is away is not told again. Default: nothing is. */
  readonly outage?: Outage;
  /** When it is aborted while the manager is made, what was made ends, within the grace period, and the reason is thrown. */
  readonly stopping?: AbortSignal;
  /** Told where something that was made has not ended within the grace period, also where no manager comes of it. */
  readonly leftBehind?: () => void;
}

/**
 * Makes the parts of a manager from its options and the declarations of its controllers. Here alone they meet; each knows
 * only what it is handed.
 */
export async function wireManager(
  options: ManagerOptions,
  { caller = 'createManager', outage = new Outage(), stopping, leftBehind }: Surroundings = {},
): Promise<ManagerParts> {
  const { clock = new SystemClock(), random = new SystemRandom(), logger = new SilentLogger(), namespaces } = options;
  const { plans, services, gracePeriodMs } = planManager(options, caller);
  const surroundings = { clock, random, logger };
  const groups = new RunnableGroups({ clock, logger, gracePeriodMs });

  const userAgent = `evenkeel/${plans.map(({ name }) => name).join('+')}`;
  const way = await wayToServer(options, clock);
  const registry = new MetricsRegistry();
  const { serverWiring, plannedServers, measures } = await plannedServersOf(options, registry, clock, way.connection);
  const transport = measures?.measured(way.transport) ?? way.transport;
  const answers = new ServerAnswers(clock);
  const explain = explainRefusal({ plans, services, namespaces });
  const clientOptions = { clock, logger, userAgent, explain };
  const plainClient = createClient(transport, { ...clientOptions, observers: [answers.observer] });

  const cache = new Cache({ client: plainClient, ...surroundings, kinds: options.cache ?? [] });
  const caches = new WrittenCaches(cache, clock, logger);
  const writeRecorder = new WriteRecorder(caches);
  const fence = new NamespaceFence(writeRecorder, logger);

  const recorderOf = (reportingController: string): ApiEventRecorder => {
    const reportingInstance = `${reportingController}-${hostname()}`;
    const parts = { client: plainClient, reportingController, reportingInstance, ...surroundings };
    const recorder = new ApiEventRecorder(parts);
    groups.add('events', recorder);
    return recorder;
  };
  const recorder = recorderOf('evenkeel');

  const elected =
    options.leaderElection === undefined
      ? undefined
      : wireElection(options.leaderElection, {
          ...{ connection: way.connection, transport, userAgent, ...surroundings, recorder },
          isAwayTold: () => outage.isToldElsewhere,
          measured: measures === undefined ? undefined : (own) => measures.measured(own),
        });
  if (elected !== undefined) groups.add('election', elected.election);

  const clientWith = (...interceptors: readonly Interceptor[]): Client =>
    createClient(transport, {
      ...clientOptions,
      interceptors: [fence.interceptor, writeRecorder.interceptor, ...interceptors],
      observers: [writeRecorder.observer, answers.observer],
    });
  const client = elected === undefined ? clientWith() : clientWith(writeFence(elected.election));

  const withInformers = plans.map((plan) => ({ plan, informers: informersOf(plan, cache, namespaces) }));
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
    listerFor: (target, declaration) => listerFor(target, declaration, withInformers, writeRecorder, fence),
    lifeCycle: new LifeCycle({ clock, logger, gracePeriodMs, stopping, leftBehind }),
  });
  addCache(groups, cache, instances);

  const controllers: RunningController[] = [];
  const blockage = new BlockageReport(() => controllers.map(({ state }) => state), logger);
  const eventLoop = options.clock === undefined ? watchedEventLoop(clock, blockage, measures) : undefined;
  if (eventLoop !== undefined) groups.add('events', eventLoop);
  const health = (): ManagerHealth =>
    managerHealth({
      controllers: controllers.map(({ state }) => state),
      usage: caches.usage,
      lateWrites: caches.late,
      answers,
      leadership: elected?.election.state,
      eventLoop: eventLoop?.state,
      clock,
    });
  measures?.watch({
    controllers: () => controllers,
    caches,
    isReady: () => health().ready,
    ...(elected === undefined ? {} : { election: elected.election }),
  });

  const fieldsSource =
    options.fields === undefined
      ? undefined
      : (await import('./wire-fields.ts')).fieldsSourceOf(options.fields, { transport, userAgent, clock, logger });
  const made: { readonly plan: ControllerPlan; readonly instance: object }[] = [];
  for (const { plan, informers } of withInformers) {
    const instance = await construct(instances, plan.controllerClass);
    made.push({ plan, instance });
    const controller = wireController(plan, instance, informers, {
      ...{ client, writeRecorder, fence, ...surroundings, validator: options.validator, fieldsSource, outage },
      recorder: recorderOf(plan.name),
      observer: (run: ReconcileRun) => {
        blockage.ended(run);
        measures?.runEnded(run);
        options.observer?.(run);
      },
      measured: measures?.observer(plan.name),
    });
    controllers.push(controller);
    groups.add('leader', controller);
  }
  if (plans.some(({ watches }) => watches.length > 0)) {
    const { checkMappers } = await import('../checks/check-mappers.ts');
    try {
      checkMappers(made, options);
    } catch (error) {
      await instances.dispose();
      throw error;
    }
  }
  await addRunnables(groups, options, instances, (onEveryReplica) => (onEveryReplica ? clientWith() : client));

  const servers =
    serverWiring === undefined || plannedServers === undefined
      ? {}
      : await serverWiring.wireServers(plannedServers, {
          ...{ registry, measures, client: plainClient, clock, logger, health },
        });
  for (const server of Object.values(servers)) groups.add('servers', server);

  const close = async (): Promise<boolean> => {
    const ended = await instances.dispose();
    await elected?.close();
    if (options.transport === undefined) await transport.close();
    return ended;
  };
  return { client, groups, controllers, registry, servers, health, close };
}

/** What listens and what is measured: loaded only where there are addresses for it. */
async function plannedServersOf(
  { health, metrics }: ManagerOptions,
  registry: MetricsRegistry,
  clock: Clock,
  connection: Connection | undefined,
) {
  if (health?.address === undefined && metrics?.address === undefined) return {};
  const serverWiring = await import('./wire-servers.ts');
  const plannedServers = serverWiring.planServers(health, metrics);
  await serverWiring.checkCertificates(plannedServers);
  if (plannedServers.metrics === undefined) return { serverWiring, plannedServers };
  const measuring = await import('../metrics/manager-metrics.ts');
  return { serverWiring, plannedServers, measures: new measuring.ManagerMetrics(registry, clock, hostOf(connection)) };
}

function addCache(groups: RunnableGroups, cache: Cache, instances: Instances): void {
  const stopping = new AbortController();
  groups.add('caches', {
    name: 'cache',
    start: async () => cache.start(stopping.signal),
    stop: async (abort) => {
      stopping.abort(new Error('the manager stops'));
      await cache.stopped();
      await instances.dispose(abort);
    },
  });
}

function watchedEventLoop(
  clock: Clock,
  blockage: BlockageReport,
  measures: ManagerMetrics | undefined,
): EventLoopWatch {
  return new EventLoopWatch(
    clock,
    (forMs) => blockage.tell(forMs),
    (delayMs) => {
      blockage.forget();
      measures?.eventLoopDelayed(delayMs);
    },
  );
}

/** The work beside the controllers. What runs on every replica is given a client that asks for no leadership. */
async function addRunnables(
  groups: RunnableGroups,
  { runnables = [] }: ManagerOptions,
  instances: Instances,
  clientFor: (onEveryReplica: boolean) => Client,
): Promise<void> {
  for (const given of runnables) {
    const runnable = typeof given === 'function' ? await construct(instances, given) : given;
    const { onEveryReplica = false, name = runnable.constructor.name } = runnable;
    groups.add(onEveryReplica ? 'others' : 'leader', {
      name,
      start: (failed) => runnable.start(failed, clientFor(onEveryReplica)),
      stop: (abort) => runnable.stop(abort),
    });
  }
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
