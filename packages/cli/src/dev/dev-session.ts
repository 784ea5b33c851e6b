import { type Client, createClient, httpsTransport, loadConnection, readBody } from '@evenkeel/client';
import {
  type ApiResource,
  apiVersionOf,
  type Clock,
  declarationsOf,
  EvenkeelError,
  type KubernetesObject,
  messageOf,
  ObjectKey,
  parseApiVersion,
  resolveKind,
  resourceOf,
  StatusError,
  type Transport,
  type WebhookHost,
} from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import {
  type ConcreteClass,
  createManager,
  describeRun,
  type Manager,
  type Operator,
  type ReconcileRun,
  type RecordedEvent,
} from '@evenkeel/runtime';
import {
  addressTowards,
  EmbeddedDoor,
  HttpsDoor,
  ServingWebhookHost,
  type WebhookDoor,
} from '@evenkeel/testing/webhook';
import { Changes } from './changes.ts';
import { progressOf, shortfallOf, watchObject } from './convergence.ts';
import { describeAnswer } from './describe-answer.ts';
import { KubeconfigFile } from './kubeconfig-file.ts';
import { kubectlName } from './kubectl-name.ts';
import { LastRuns } from './last-runs.ts';
import { type FieldSchema, fieldHint } from './misspelt-field.ts';
import type { Narrator } from './narrator.ts';
import { NarratorLogger } from './narrator-logger.ts';
import { placeOfError } from './place-of-error.ts';
import type { SampleObject } from './sample.ts';

export interface DevSessionOptions {
  /** Default: none, the session serves only the API. */
  readonly operator: Operator | undefined;
  readonly definitions: readonly CustomResourceDefinition[];
  readonly samples: readonly SampleObject[];
  /** The kubeconfig of a cluster to run on. Default: an embedded API server. */
  readonly kubeconfig?: string;
  /** The embedded server's port. Default: a free port. */
  readonly port?: number;
  /** The folder of the embedded server's kubeconfig. */
  readonly stateFolder: string;
  /** Messages show file paths relative to this folder. */
  readonly folder: string;
  readonly narrator: Narrator;
  readonly clock: Clock;
  readonly verbose: boolean;
}

/** A sample with its resource. */
interface Sample extends SampleObject {
  readonly resource: ApiResource;
  /** Whether its kind is generated here and supports `kubectl scale`. */
  readonly scalable: boolean;
  /** Only for kinds that are generated here. */
  readonly schema: FieldSchema | undefined;
}

interface AwaitedSample extends Sample {
  readonly key: ObjectKey;
}

/** How long a reconcile may continue after Ctrl-C. The whole session stops within a second. */
const gracePeriod = '700ms';
const answerWithinMs = 5000;
/** The limit for each look at the remaining objects; a stopping session has one second in total. */
const lastLookWithinMs = 200;

/**
 * An operator in an interactive session: an API server (embedded, or of a cluster), the CRDs of its classes, its
 * manager and its samples. It reports everything as it happens.
 */
export class DevSession {
  readonly kubeconfig: string;
  readonly #client: Client;
  readonly #manager: Manager;
  readonly #samples: readonly Sample[];
  readonly #close: () => Promise<void>;
  readonly #folder: string;
  /** Of the kinds that the operator reconciles, by `Site.web.example.com`. */
  readonly #controllers: ReadonlyMap<string, ReconciledKind>;
  readonly #lastRuns = new LastRuns();
  /** Counts finished runs and changes of samples. */
  readonly #changes = new Changes();
  /** The error of each object whose last run failed. */
  readonly #failures = new Map<string, string>();
  #lastError: string | undefined;
  #awaited: AwaitedSample | undefined;
  /** A child that the operator recreates after a deletion. */
  #child: string | undefined;
  #hasConverged = false;

  private constructor(parts: {
    kubeconfig: string;
    client: Client;
    manager: Manager;
    samples: readonly Sample[];
    controllers: ReadonlyMap<string, ReconciledKind>;
    folder: string;
    close: () => Promise<void>;
  }) {
    this.kubeconfig = parts.kubeconfig;
    this.#client = parts.client;
    this.#manager = parts.manager;
    this.#samples = parts.samples;
    this.#controllers = parts.controllers;
    this.#folder = parts.folder;
    this.#close = parts.close;
  }

  /** Starts everything in order. If a step fails, stops what has been started. */
  static async start(options: DevSessionOptions): Promise<DevSession> {
    const { narrator, clock } = options;
    const server = await openServer(options);
    let manager: Manager | undefined;
    try {
      const logger = new NarratorLogger(options);
      const client = createClient(server.transport, { clock, logger, userAgent: 'evenkeel-dev' });
      for (const definition of options.definitions) await install(client, definition, narrator);
      const webhookHost = new ServingWebhookHost({ client, door: server.door, clock });
      let session: DevSession | undefined;
      manager = await createManager({
        controllers: [],
        ...options.operator,
        // The session is the only process of the operator.
        leaderElection: undefined,
        transport: withHost(server.transport, webhookHost),
        clock,
        logger,
        gracePeriod,
        observer: (run) => session?.observe(run, narrator),
        eventObserver: (event) => reportEvent(event, narrator),
      });
      const samples = await Promise.all(
        options.samples.map(async ({ object, place }) => ({
          object,
          place,
          resource: await resourceOfObject(server.transport, object, place, options),
          scalable: versionOf(object, options.definitions)?.subresources?.scale !== undefined,
          schema: versionOf(object, options.definitions)?.schema?.openAPIV3Schema as FieldSchema | undefined,
        })),
      );
      const { kubeconfig, close } = server;
      const controllers = kindsOf(options.operator?.controllers ?? []);
      for (const sample of samples) if (controllers.has(kindKey(sample.resource))) checkIsWatched(sample, options);
      session = new DevSession({ kubeconfig, client, manager, samples, controllers, folder: options.folder, close });
      await manager.start();
      const names = manager.health.controllers.map(({ name }) => name).join(', ');
      narrator.report(
        'manager',
        names === '' ? 'none: the project has no controllers' : `started: controller ${names}`,
      );
      const { webhooks = [], conversions = [] } = options.operator ?? {};
      const served = [...webhooks, ...conversions].map(({ name }) => name).join(', ');
      if (served !== '') narrator.report('webhooks', `called by the API server: ${served}`);
      await session.#applySamples(narrator);
      return session;
    } catch (error) {
      await manager?.stop();
      await server.close();
      throw error;
    }
  }

  /** Resolves with the first error that stops the manager; never if there is none. */
  get failure(): Promise<unknown> {
    return this.#manager.failure;
  }

  /** Prints a run, and records what later messages need. */
  observe(run: ReconcileRun, narrator: Narrator): void {
    this.#lastRuns.note(run);
    this.#changes.notify();
    const place = placeOfError(run.error, this.#folder);
    const { text, aside, isFailed } = describeRun(run, place);
    const about = `${run.kind} ${run.key}`;
    // A failed run is retried many times a second. While it fails in the same way, its lines are counted.
    const failure = isFailed ? `${messageOf(run.error)} ${place}` : undefined;
    const isRepeated = failure !== undefined && this.#failures.get(about) === failure;
    if (!isRepeated) narrator.renew(about);
    if (failure === undefined) this.#failures.delete(about);
    else this.#failures.set(about, failure);
    const counted = isRepeated ? { about } : {};
    narrator.report('reconcile', `${run.key}: ${text}`, { aside, tone: isFailed ? 'bad' : 'plain', ...counted });
    if (run.error !== undefined) this.#lastError = messageOf(run.error);
    // Objects created later, such as the Job of a schedule, may not be recreated.
    if (this.#hasConverged) return;
    const created = run.writes.findLast(({ effect, resource }) => effect === 'created' && resource.kind !== run.kind);
    if (created !== undefined) this.#child ??= `${created.resource.kind.toLowerCase()} ${created.key.name}`;
  }

  /**
   * Resolves when every sample has converged, and prints each. If the signal is aborted first, throws `not-converged`
   * with the reason.
   */
  async waitUntilConverged(signal: AbortSignal, narrator: Narrator): Promise<void> {
    for (const sample of this.#samplesWithGoal()) {
      const { resource, key } = sample;
      this.#awaited = sample;
      try {
        const { condition } = progressOf(await this.#converged(sample, signal));
        const topic = condition?.type.toLowerCase() ?? 'converged';
        narrator.report(topic, `${key}`, { tone: 'good', ...(condition?.message ? { aside: condition.message } : {}) });
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new EvenkeelError(
          'not-converged',
          `${resource.kind} ${key} has not converged: ${await this.#shortfall(sample)}`,
        );
      }
    }
    this.#awaited = undefined;
    this.#hasConverged = true;
  }

  /** Prints which sample has not converged yet, and why. Does nothing if it waits for none. */
  async reportWaiting(narrator: Narrator): Promise<void> {
    const awaited = this.#awaited;
    if (awaited === undefined) return;
    const why = await this.#shortfall(awaited);
    if (this.#awaited === awaited) narrator.report('waiting', `for ${awaited.resource.kind} ${awaited.key}: ${why}`);
  }

  async #converged(sample: AwaitedSample, signal: AbortSignal): Promise<KubernetesObject> {
    const { resource, key } = sample;
    const over = new AbortController();
    const changed = () => this.#changes.notify();
    const watching = watchObject(this.#client, resource, key, {
      signal: AbortSignal.any([signal, over.signal]),
      changed,
    });
    watching.catch(() => undefined);
    try {
      for (;;) {
        const seen = this.#changes.count;
        // The write of a run is visible before the run has finished. The line about the run must come first.
        if (!this.#isRunning(sample)) {
          const object = await this.#get(sample, signal);
          const isOfOneMoment = this.#changes.count === seen && !this.#isRunning(sample);
          if (isOfOneMoment && object !== undefined && this.#shortfallOf(sample, object) === undefined) return object;
        }
        await Promise.race([this.#changes.beyond(seen, signal), watching]);
      }
    } finally {
      over.abort();
    }
  }

  #isRunning({ key }: AwaitedSample): boolean {
    return this.#manager.health.controllers.some(({ running }) => running.some((run) => run.key === String(key)));
  }

  /** Undefined if it does not exist. */
  async #get({ resource, key }: AwaitedSample, signal: AbortSignal): Promise<KubernetesObject | undefined> {
    try {
      return (await this.#client.get(resource, key, { signal })) as KubernetesObject;
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined;
      throw error;
    }
  }

  #shortfallOf({ resource, key }: AwaitedSample, object: KubernetesObject | undefined): string | undefined {
    const isReconciled = this.#controllers.has(kindKey(resource));
    return shortfallOf(object, { runs: this.#lastRuns.of(resource.kind, key), isReconciled });
  }

  async #shortfall(sample: AwaitedSample): Promise<string> {
    const live = await this.#get(sample, AbortSignal.timeout(answerWithinMs)).catch(() => undefined);
    const shortfall = this.#shortfallOf(sample, live) ?? 'a reconcile of it has not finished yet';
    const hasOwn = this.#lastRuns.of(sample.resource.kind, sample.key).some(({ error }) => error !== undefined);
    if (hasOwn || this.#lastError === undefined) return shortfall;
    return `${shortfall}; the error of the last failed reconcile: ${this.#lastError}`;
  }

  /**
   * The samples that cannot be deleted without an operator, because they have finalizers or their controller adds some;
   * `objects of Site` if only the kind is known.
   */
  async heldByFinalizers(): Promise<string[]> {
    const held: string[] = [];
    const kinds = new Set([...this.#controllers.values()].flatMap(({ kind, finalizes }) => (finalizes ? kind : [])));
    for (const sample of this.#samplesWithKeys()) {
      const { resource, key } = sample;
      const object = await this.#get(sample, AbortSignal.timeout(lastLookWithinMs)).catch(() => undefined);
      const isFinalized = this.#controllers.get(kindKey(resource))?.finalizes === true;
      if (!isFinalized && (object?.metadata.finalizers ?? []).length === 0) continue;
      held.push(`${resource.kind} ${key}`);
      kinds.delete(resource.kind);
    }
    return [...held, ...[...kinds].map((kind) => `objects of ${kind}`)];
  }

  /** Up to three commands to try on the running operator. */
  commandsWorthTrying(): string[] {
    const [sample] = this.#samplesWithGoal();
    if (sample === undefined) return [];
    const { resource, key, scalable } = sample;
    const namespace = key.namespace === undefined || key.namespace === 'default' ? '' : ` -n ${key.namespace}`;
    const resources = kubectlName(resource);
    return [
      `kubectl get ${resources}${namespace} --watch`,
      scalable
        ? `kubectl scale ${resources} ${key.name}${namespace} --replicas 3`
        : `kubectl edit ${resources} ${key.name}${namespace}`,
      ...(this.#child === undefined ? [] : [`kubectl delete ${this.#child}${namespace}      # it comes back`]),
    ];
  }

  /** Stops the manager, then the server, within a second. */
  async stop(): Promise<void> {
    this.#awaited = undefined;
    await this.#manager.stop();
    await this.#close();
  }

  async #applySamples(narrator: Narrator): Promise<void> {
    for (const { resource, object, place, schema } of this.#samples) {
      const key = keyOfSample(resource, object);
      const metadata = { ...object.metadata, ...(key.namespace === undefined ? {} : { namespace: key.namespace }) };
      const sample = { ...object, metadata };
      await this.#client
        .apply(resource, sample, { fieldManager: 'evenkeel-dev', force: true })
        .catch((error: unknown) => {
          if (!(error instanceof StatusError)) throw error;
          throw new EvenkeelError('invalid-sample', `${place}: ${error.message}${fieldHint(error.message, schema)}`, {
            cause: error,
          });
        });
      narrator.report('sample', `applied ${resource.kind} ${key}`);
    }
  }

  /** Kinds of Kubernetes itself have other controllers, and conditions with other meanings. */
  #samplesWithGoal(): AwaitedSample[] {
    return this.#samplesWithKeys().filter(
      ({ resource: { group } }) => group.includes('.') && !group.endsWith('.k8s.io'),
    );
  }

  #samplesWithKeys(): AwaitedSample[] {
    return this.#samples.map((sample) => ({ ...sample, key: keyOfSample(sample.resource, sample.object) }));
  }
}

function reportEvent({ regarding, type, reason, note }: RecordedEvent, narrator: Narrator): void {
  const key = ObjectKey.of(regarding);
  narrator.report('event', `${key}: ${type === 'Warning' ? 'Warning ' : ''}${reason}: ${note}`, {
    about: `${regarding.kind} ${key}`,
  });
}

/** What the controllers of a kind declare about it. */
interface ReconciledKind {
  readonly kind: string;
  /** Whether one of them adds a finalizer to its objects. */
  readonly finalizes: boolean;
}

function kindsOf(controllers: readonly ConcreteClass[]): Map<string, ReconciledKind> {
  const kinds = new Map<string, ReconciledKind>();
  for (const controller of controllers) {
    const { controller: declared, finalizers } = declarationsOf(controller);
    if (declared === undefined) continue;
    const resource = resourceOf(resolveKind(declared.kind));
    const finalizes = finalizers.length > 0 || kinds.get(kindKey(resource))?.finalizes === true;
    kinds.set(kindKey(resource), { kind: resource.kind, finalizes });
  }
  return kinds;
}

/** The same for all versions of a kind. */
function kindKey({ kind, group }: ApiResource): string {
  return `${kind}.${group}`;
}

interface OpenServer {
  readonly transport: Transport;
  /** How the server calls webhooks in this process. */
  readonly door: WebhookDoor;
  readonly kubeconfig: string;
  readonly close: () => Promise<void>;
}

/** A transport whose managers register their webhooks with the server of the session. */
function withHost(transport: Transport, webhookHost: WebhookHost): Transport {
  return { request: (request) => transport.request(request), close: () => transport.close(), webhookHost };
}

async function openServer(options: DevSessionOptions): Promise<OpenServer> {
  const { narrator, clock, kubeconfig: given } = options;
  if (given !== undefined) {
    const connection = await loadConnection({ kubeconfig: given, clock });
    const transport = httpsTransport(connection);
    const signal = AbortSignal.timeout(answerWithinMs);
    const version = await readJson(transport, '/version', signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw new EvenkeelError(
        'cluster-unreachable',
        `the cluster of ${given} did not respond within ${answerWithinMs / 1000} s; check that it runs and that the kubeconfig is current`,
      );
    });
    const { gitVersion = 'unknown' } = version as { gitVersion?: string };
    narrator.report('cluster', `Kubernetes ${gitVersion} of ${given}`);
    const door = new HttpsDoor(
      () => addressTowards(connection.server),
      () => clock.now(),
    );
    return { transport, door, kubeconfig: given, close: () => transport.close() };
  }
  const { ApiServer } = await import('@evenkeel/apiserver');
  const server = await ApiServer.create({ clock, logger: new NarratorLogger(options) });
  const { url } = await server.listen(options.port === undefined ? {} : { port: options.port });
  narrator.report('server', `listening on ${url}`);
  const kubeconfig = await KubeconfigFile.create({
    folder: options.stateFolder,
    write: (file) => server.writeKubeconfig(file),
    clock,
  });
  const others = kubeconfig.isAnother ? { aside: 'another session is running in this folder' } : {};
  narrator.report('kubeconfig', kubeconfig.path, others);
  const transport = server.transport();
  return {
    transport,
    door: new EmbeddedDoor(server),
    kubeconfig: kubeconfig.path,
    close: async () => {
      await transport.close();
      await server.close();
      await kubeconfig.remove();
    },
  };
}

async function install(client: Client, definition: CustomResourceDefinition, narrator: Narrator): Promise<void> {
  const { name } = definition.metadata;
  await client.apply(CustomResourceDefinition, definition, { fieldManager: 'evenkeel-dev', force: true });
  const signal = AbortSignal.timeout(answerWithinMs * 2);
  for await (const event of client.watch(CustomResourceDefinition, { fields: { 'metadata.name': name }, signal })) {
    if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
    const conditions = event.object.status?.conditions ?? [];
    const rejected = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
    if (rejected !== undefined) {
      throw new EvenkeelError(
        'not-converged',
        `${name}: the cluster rejects its names: ${rejected.message}; change the names, or delete the CRD that uses them`,
      );
    }
    if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) break;
  }
  narrator.report('crd', `generated and installed ${name}`);
}

function keyOfSample(resource: ApiResource, { metadata }: KubernetesObject): ObjectKey {
  return new ObjectKey(metadata.name, resource.namespaced ? (metadata.namespace ?? 'default') : undefined);
}

/** Throws for an object that the operator would never reconcile. */
function checkIsWatched({ resource, object, place }: Sample, { operator }: DevSessionOptions): void {
  const { namespace } = keyOfSample(resource, object);
  if (namespace === undefined || operator?.namespaces?.includes(namespace) !== false) return;
  throw new EvenkeelError(
    'invalid-sample',
    `${place}: the operator does not watch the namespace ${namespace}, only ${operator.namespaces.join(', ')}; set metadata.namespace of the sample, or "namespaces" of defineOperator()`,
  );
}

/** Finds the version of a generated CRD that an object belongs to. */
function versionOf({ apiVersion, kind }: KubernetesObject, definitions: readonly CustomResourceDefinition[]) {
  const { group, version } = parseApiVersion(apiVersion);
  const definition = definitions.find(({ spec }) => spec.group === group && spec.names.kind === kind);
  return definition?.spec.versions.find(({ name }) => name === version);
}

/** Finds the resource of an object: from a generated CRD, otherwise from the server's discovery. */
async function resourceOfObject(
  transport: Transport,
  { apiVersion, kind }: KubernetesObject,
  place: string,
  { definitions }: DevSessionOptions,
): Promise<ApiResource> {
  const { group, version } = parseApiVersion(apiVersion);
  const own = definitions.find(
    ({ spec }) =>
      spec.group === group && spec.names.kind === kind && spec.versions.some(({ name }) => name === version),
  );
  if (own !== undefined) {
    return { group, version, kind, plural: own.spec.names.plural, namespaced: own.spec.scope === 'Namespaced' };
  }
  const path = group === '' ? `/api/${version}` : `/apis/${apiVersionOf({ group, version })}`;
  const { resources = [] } = (await readJson(transport, path, AbortSignal.timeout(answerWithinMs))) as {
    resources?: { name: string; kind: string; namespaced: boolean }[];
  };
  const found = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
  if (found === undefined) {
    throw new EvenkeelError(
      'invalid-sample',
      `${place}: the server does not serve ${kind} in ${apiVersion}; check the version, and that the CRD is installed`,
    );
  }
  return { group, version, kind, plural: found.name, namespaced: found.namespaced };
}

/** Reads a path that is not an object: discovery, or the version. */
async function readJson(transport: Transport, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await transport.request({ method: 'GET', path, headers: { accept: 'application/json' }, signal });
  const text = (await readBody(response)).toString('utf8');
  if (response.status === 200) return JSON.parse(text);
  if (response.status === 404) return {};
  throw new EvenkeelError('cluster-unreachable', `GET ${path}: ${describeAnswer(response.status, text)}`);
}
