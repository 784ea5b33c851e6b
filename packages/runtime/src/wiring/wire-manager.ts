import { type Client, type Connection } from '@evenkeel/client';
import { type Clock, type ControllerPlan, SilentLogger, SystemClock, SystemRandom } from '@evenkeel/core';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import type { Cache } from '../cache/cache.ts';
import type { PlannedInstance } from '../checks/check-mappers.ts';
import type { OptionsCaller } from '../checks/check-options.ts';
import { planManager } from '../checks/plan-manager.ts';
import type { RunningController } from '../controller/running-controller.ts';
import type { ServedFieldsOptions } from '../fields/served-fields.ts';
import type { ManagerHealth } from '../health/manager-health.ts';
import type { Instances, ListerRequest, ServiceKey } from '../injection/injection.ts';
import { construct, createInstances } from '../injection/instances.ts';
import { LifeCycle } from '../injection/life-cycle.ts';
import { providedValues } from '../injection/provided-classes.ts';
import { RunScope } from '../injection/run-scope.ts';
import { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import type { ManagerRunnable } from '../runnable/manager-runnable.ts';
import type { Runnable } from '../runnable/runnable.ts';
import { RunnableGroups } from '../runnable/runnable-groups.ts';
import { Outage } from '../source/outage.ts';
import { type InjectedRunnable, orderByInjection } from './order-by-injection.ts';
import { informersOf, listerFor, type WiredPlan, webhookInformers } from './plan-informers.ts';
import { wayToServer, wireClients } from './wire-clients.ts';
import { wireController } from './wire-controller.ts';
import { wireHealth } from './wire-health.ts';
import type { ManagerServers, ServerParts } from './wire-servers.ts';
import type { SourceParts } from './wire-sources.ts';
import type { WiredWebhook, WiredWebhooks } from './wire-webhooks.ts';

/** The parts of a manager. */
export interface ManagerParts {
  readonly client: Client;
  readonly plans: readonly ControllerPlan[];
  /** Everything that starts and stops, in order. */
  readonly groups: RunnableGroups;
  readonly controllers: readonly RunningController[];
  readonly registry: MetricsRegistry;
  readonly servers: ManagerServers;
  /** Undefined if there are neither webhooks nor conversions. */
  readonly webhooks: WiredWebhooks | undefined;
  readonly health: () => ManagerHealth;
  /** Must be called after everything has stopped, even if nothing started. Returns whether all instances were destroyed in time. */
  readonly close: () => Promise<boolean>;
}

/** What the caller that runs a manager shares with it. */
export interface Surroundings {
  /** The function that got the controllers, which errors name. Default: createManager. */
  readonly caller?: OptionsCaller;
  /** Keeps the manager from logging an outage that the caller already logs. Default: the caller logs none. */
  readonly outage?: Outage;
  /** If it is aborted during creation, the created instances are destroyed within the grace period, and the reason is thrown. */
  readonly stopping?: AbortSignal;
  /** Called if an instance was not destroyed within the grace period, even if the creation of the manager failed. */
  readonly leftBehind?: () => void;
}

/**
 * Creates the parts of a manager from its options and the declarations of its controllers. Only this function knows all parts;
 * each part knows only what it is passed.
 */
export async function wireManager(
  options: ManagerOptions,
  { caller = 'createManager', outage = new Outage(), stopping, leftBehind }: Surroundings = {},
): Promise<ManagerParts> {
  const { clock = new SystemClock(), random = new SystemRandom(), logger = new SilentLogger(), namespaces } = options;
  const environment = { clock, random, logger };
  const { plans, webhooks, policies, services, injections, modules, gracePeriodMs } = await planManager(
    options,
    caller,
  );
  const groups = new RunnableGroups({ clock, logger, gracePeriodMs });
  const registry = new MetricsRegistry();
  const way = await wayToServer(options, clock);
  const listening = await plannedServersOf(options, registry, clock, way.connection);
  const { measures } = listening;

  // In a cluster, policies are installed with the operator's other manifests.
  const installs = policies.length > 0 && way.transport.webhookHost !== undefined;
  const isServing = installs || webhooks.length > 0 || (options.conversions ?? []).length > 0;
  const exemption = isServing ? new (await import('../election/fence-exemption.ts')).FenceExemption() : undefined;
  const wired = await wireClients(options, {
    ...{ way, plans, webhooks, services, groups, measures, outage, exemption, ...environment },
  });
  const { client, plainClient, caches, writeRecorder, fence, recorder, elected } = wired;
  const planned = plans.map((plan) => ({ plan, informers: informersOf(plan, wired.cache, namespaces) }));
  const reviewed = await wiredWebhooks(webhooks, wired.cache, namespaces);
  const listers = (request: ListerRequest) => listerFor(request, planned, reviewed, writeRecorder, fence);
  const instances = await createInstances({
    plan: injections,
    modules,
    values: providedValues({ client, ...environment, recorder, registry }),
    listerFor: listers,
    lifeCycle: new LifeCycle({ clock, logger, gracePeriodMs, stopping, leftBehind }),
  });
  const { transport, userAgent } = wired;
  const close = async (): Promise<boolean> => {
    wired.protection.close();
    const ended = await instances.dispose();
    await wired.elected?.close();
    if (options.transport === undefined) await transport.close();
    return ended;
  };
  try {
    addCache(groups, wired.cache, instances);
    for (const informer of wired.cache.informers) {
      if (!informer.metadataOnly) informer.onOpened(() => wired.protection.compare(informer.resource));
    }

    const controllers: RunningController[] = [];
    let served: WiredWebhooks | undefined;
    const { health, runEnded } = wireHealth({
      ...(isServing ? { webhooks: () => served?.problems ?? ['the webhooks have not been created'] } : {}),
      ...{ groups, controllers: () => controllers, caches, answers: wired.answers, measures, clock, logger },
      election: elected?.election,
      watchesEventLoop: options.clock === undefined,
    });
    const fieldsSource = await fieldsSourceFor(options, { transport, userAgent, clock, logger });
    const runScope = await RunScope.create({
      ...{ plan: injections, listerFor: listers, singleton: (key: ServiceKey) => construct(instances, key) },
      lifeCycle: (context) => new LifeCycle({ clock, logger: context.logger, gracePeriodMs }),
    });
    const injected: InjectedRunnable[] = [];
    const addController = ({ plan, informers }: WiredPlan<ControllerPlan>, instance: object): void => {
      const controller = wireController(plan, instance, informers, {
        ...{ client, writeRecorder, fence, ...environment, outage, fieldsSource, runScope },
        validator: options.validator,
        logsRuns: options.logReconciles === true,
        recorder: wired.recorderOf(plan.name),
        measured: measures?.observer(plan.name),
        observer: (run) => {
          runEnded(run);
          options.observer?.(run);
        },
      });
      controllers.push(controller);
      groups.add('leader', controller);
      injected.push({ key: plan.controllerClass, runnable: controller });
    };
    await addControllers(planned, options, instances, addController);
    const clientFor = (onEveryReplica: boolean): Client => (onEveryReplica ? wired.everywhere() : client);
    injected.push(...(await addRunnables(groups, options, instances, clientFor)));
    orderByInjection(groups, injections, injected);
    if (exemption !== undefined) {
      const { wireWebhooks } = await import('./wire-webhooks.ts');
      served = await wireWebhooks(options, {
        ...{ webhooks: reviewed, policies, instances, exemption, client: plainClient, clock, logger },
        namespace: way.connection?.namespace,
        host: way.transport.webhookHost,
        registry: measures === undefined ? undefined : registry,
        certificateRead: measures === undefined ? undefined : (read) => measures.certificateRead(read),
      });
      for (const runnable of served.runnables) groups.add('webhooks', runnable);
    }
    const servers = await serversOf(listening, { registry, measures, client: plainClient, clock, logger, health });
    for (const server of Object.values(servers)) groups.add('servers', server);

    return { client, plans, groups, controllers, registry, servers, webhooks: served, health, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The informers of webhooks. Those of rules are loaded only if there are webhooks. */
async function wiredWebhooks(
  webhooks: readonly WebhookPlan[],
  cache: Cache,
  namespaces: readonly string[] | undefined,
): Promise<readonly WiredWebhook[]> {
  if (webhooks.length === 0) return [];
  const { ruleInformers } = await import('./wire-rules.ts');
  return webhooks.map((plan) => ({
    plan,
    informers: webhookInformers(plan, cache, namespaces),
    ruleInformers: ruleInformers(plan, cache, namespaces),
  }));
}

/** Constructs the controllers one after another. Throws if a mapper is invalid. */
async function addControllers(
  planned: readonly WiredPlan<ControllerPlan>[],
  options: ManagerOptions,
  instances: Instances,
  add: (planned: WiredPlan<ControllerPlan>, instance: object) => void,
): Promise<void> {
  const made: PlannedInstance[] = [];
  for (const one of planned) {
    const instance = (await construct(instances, one.plan.controllerClass)) as object;
    made.push({ plan: one.plan, instance });
    add(one, instance);
  }
  if (planned.every(({ plan }) => plan.watches.length === 0)) return;
  const { checkMappers } = await import('../checks/check-mappers.ts');
  checkMappers(made, options);
}

/** The comparison of fields with those at build time, loaded only if the option `fields` is set. */
async function fieldsSourceFor(
  { fields }: ManagerOptions,
  parts: Omit<ServedFieldsOptions, 'fields'>,
): Promise<SourceParts['fieldsSource']> {
  if (fields === undefined) return undefined;
  const { fieldsSourceOf } = await import('./wire-fields.ts');
  return fieldsSourceOf(fields, parts);
}

/** The servers and metrics, loaded only if they have addresses. */
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

async function serversOf(
  { serverWiring, plannedServers }: Awaited<ReturnType<typeof plannedServersOf>>,
  parts: ServerParts,
): Promise<ManagerServers> {
  if (serverWiring === undefined || plannedServers === undefined) return {};
  return serverWiring.wireServers(plannedServers, parts);
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

/**
 * Adds the user's runnables, and returns those that are classes. One that runs on every replica gets a client that writes without
 * leadership.
 */
async function addRunnables(
  groups: RunnableGroups,
  { runnables = [] }: ManagerOptions,
  instances: Instances,
  clientFor: (onEveryReplica: boolean) => Client,
): Promise<InjectedRunnable[]> {
  const injected: InjectedRunnable[] = [];
  for (const given of runnables) {
    const instance = typeof given === 'function' ? ((await construct(instances, given)) as ManagerRunnable) : given;
    const { onEveryReplica = false, name = instance.constructor.name } = instance;
    const runnable: Runnable = {
      name,
      start: (failed) => instance.start(failed, clientFor(onEveryReplica)),
      stop: (abort) => instance.stop(abort),
    };
    groups.add(onEveryReplica ? 'others' : 'leader', runnable);
    if (typeof given === 'function') injected.push({ key: given, runnable });
  }
  return injected;
}

/** The host label of request metrics. The host of a transport that the user passed is unknown. */
function hostOf(connection: Connection | undefined): string {
  return connection !== undefined && URL.canParse(connection.server) ? new URL(connection.server).host : 'unknown';
}
