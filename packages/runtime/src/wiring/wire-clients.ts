import { hostname } from 'node:os';
import {
  type Client,
  type Connection,
  createClient,
  httpsTransport,
  type Interceptor,
  loadConnection,
  type RejectionExplainer,
} from '@evenkeel/client';
import {
  type Clock,
  type ControllerPlan,
  isForbidden,
  type KindClass,
  type Logger,
  type Random,
  resourceOf,
  type Transport,
} from '@evenkeel/core';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import { Cache } from '../cache/cache.ts';
import type { FenceExemption } from '../election/fence-exemption.ts';
import { ApiEventRecorder } from '../event/api-event-recorder.ts';
import { FieldProtection } from '../fields/field-protection.ts';
import { ServerAnswers } from '../health/manager-health.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import { NamespaceFence } from '../reconcile/namespace-fence.ts';
import { WriteRecorder } from '../reconcile/write-recorder.ts';
import { WrittenCaches } from '../reconcile/written-caches.ts';
import type { RunnableGroups } from '../runnable/runnable-groups.ts';
import type { Outage } from '../source/outage.ts';
import { completeUpdates } from './complete-updates.ts';
import type { ExplainedOperator } from './explain-rejection.ts';
import type { ElectionParts, WiredElection } from './wire-election.ts';

/** The transport of a manager, with its connection if the manager created the transport. */
export interface WayToServer {
  readonly transport: Transport;
  readonly connection?: Connection;
}

export async function wayToServer(
  { transport, connection, kubeconfig }: ManagerOptions,
  clock: Clock,
): Promise<WayToServer> {
  if (transport !== undefined) return { transport };
  const found = connection ?? (await loadConnection({ kubeconfig, clock }));
  return { transport: httpsTransport(found), connection: found };
}

export interface ClientParts {
  readonly way: WayToServer;
  readonly plans: readonly ControllerPlan[];
  readonly webhooks: readonly WebhookPlan[];
  readonly services: ExplainedOperator['services'];
  readonly groups: RunnableGroups;
  readonly measures: ManagerMetrics | undefined;
  readonly outage: Outage;
  /** The code that may write in every process; undefined if there is none. */
  readonly exemption: FenceExemption | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** The clients and caches of a manager. */
export interface WiredClients {
  /** Counts requests if anything is measured. */
  readonly transport: Transport;
  readonly userAgent: string;
  /** Knows when the server last responded to a request of any of the clients. */
  readonly answers: ServerAnswers;
  /** For caches, Events and reviews. No election and no list of namespaces restricts it. */
  readonly plainClient: Client;
  /** For the user's code. It writes only in the leader. */
  readonly client: Client;
  /** A client for the user's code that writes in every replica. */
  readonly everywhere: () => Client;
  readonly cache: Cache;
  readonly caches: WrittenCaches;
  readonly writeRecorder: WriteRecorder;
  readonly fence: NamespaceFence;
  /** Rejects writes of the clients for the user's code that would drop fields. */
  readonly protection: FieldProtection;
  readonly elected: WiredElection | undefined;
  /** Creates the recorder of Events with this reporting controller. */
  readonly recorderOf: (reportingController: string) => ApiEventRecorder;
  readonly recorder: ApiEventRecorder;
}

/** Wires the clients of a manager, and the parts that depend on their writes: the caches, the record of writes and the election. */
export async function wireClients(options: ManagerOptions, parts: ClientParts): Promise<WiredClients> {
  const { way, plans, webhooks, services, groups, measures, outage, exemption, clock, random, logger } = parts;
  const environment = { clock, random, logger };
  const { namespaces } = options;
  const names = plans.length > 0 ? plans.map(({ name }) => name) : webhooks.map(({ name }) => name);
  const userAgent = `evenkeel/${names.join('+')}`;
  const transport = measures?.measured(way.transport) ?? way.transport;
  const answers = new ServerAnswers(clock);
  const clientOptions = { clock, logger, userAgent, explain: explainerOf({ plans, webhooks, services, namespaces }) };
  const plainClient = createClient(transport, { ...clientOptions, observers: [answers.observer] });

  const cache = new Cache({ client: plainClient, ...environment, kinds: options.cache ?? [] });
  const caches = new WrittenCaches(cache, clock, logger);
  const writeRecorder = new WriteRecorder(caches);
  const fence = new NamespaceFence(writeRecorder, logger);

  const converted = (options.conversions ?? []).map((type) => resourceOf(type as KindClass));
  const protection = new FieldProtection({ client: plainClient, converted, transport, userAgent, clock, logger });

  const recorderOf = (reportingController: string): ApiEventRecorder => {
    const reportingInstance = `${reportingController}-${hostname()}`;
    const observer = options.eventObserver;
    const reporting = { client: plainClient, reportingController, reportingInstance, ...environment, observer };
    const recorder = new ApiEventRecorder(reporting);
    groups.add('events', recorder);
    return recorder;
  };
  const recorder = recorderOf('evenkeel');
  const elected = await electionOf(options, {
    ...{ connection: way.connection, transport, userAgent, ...environment, recorder, exemption },
    isAwayTold: () => outage.isToldElsewhere,
    measured: measures === undefined ? undefined : (own) => measures.measured(own),
  });
  if (elected !== undefined) groups.add('election', elected.election);

  const clientWith = (...interceptors: readonly Interceptor[]): Client =>
    createClient(transport, {
      ...clientOptions,
      interceptors: [
        completeUpdates(cache),
        fence.interceptor,
        protection.interceptor,
        writeRecorder.interceptor,
        ...interceptors,
      ],
      observers: [writeRecorder.observer, answers.observer],
    });
  const client = elected === undefined ? clientWith() : clientWith(elected.interceptor);
  const written = { cache, caches, writeRecorder, fence, protection };
  return {
    ...{ transport, userAgent, answers, plainClient, client, everywhere: () => clientWith(), elected },
    ...{ ...written, recorderOf, recorder },
  };
}

/** Adds the missing permission to the error of a forbidden request. It is loaded with the first one. */
function explainerOf(operator: ExplainedOperator): RejectionExplainer {
  return async (rejection, request) => {
    if (!isForbidden(rejection)) return undefined;
    const { explainRejection } = await import('./explain-rejection.ts');
    return explainRejection(operator)(rejection, request);
  };
}

/** The election, loaded only if it is enabled. */
async function electionOf(
  { leaderElection }: ManagerOptions,
  parts: ElectionParts,
): Promise<WiredElection | undefined> {
  if (leaderElection === undefined) return undefined;
  const { wireElection } = await import('./wire-election.ts');
  return wireElection(leaderElection, parts);
}
