import { dirname, join } from 'node:path';
import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  type Clock,
  EvenkeelError,
  ignoreNotFound,
  type KubernetesObject,
  StatusError,
} from '@evenkeel/core';
import { CustomResourceDefinition, Namespace } from '@evenkeel/kinds';
import type { ScorecardRun } from '@evenkeel/olm';
import { ClusterObjects } from '../cluster/cluster-objects.ts';
import { sessionManager } from '../cluster/field-manager.ts';
import { DevSession, type SessionProgram } from '../dev/dev-session.ts';
import { Narrator, type NarratorEvent } from '../dev/narrator.ts';
import { OperatorProcess } from '../dev/operator/operator-process.ts';
import { startOperatorChild } from '../dev/operator/start-operator-child.ts';
import { readSamples, type SampleObject } from '../dev/sample.ts';
import { InstalledDefinitions } from '../dev/session/installed-definitions.ts';
import { SessionServer } from '../dev/session/session-server.ts';
import { hasErrors, reportFindings } from '../generate/report.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { ExampleHistory } from './example-history.ts';
import { remainingObjects } from './observe-run.ts';

export interface OperatorSessionOptions {
  /** The configuration of the project whose operator runs. Undefined: no operator is started. */
  readonly configPath: string | undefined;
  /** The kubeconfig of a cluster. Default: an embedded API server. */
  readonly kubeconfig?: string | undefined;
  /** The CRDs of a bundle. They replace those of the project in the versions that they have. */
  readonly definitions: readonly JsonObject[];
  /** Objects for which the operator works. Their namespace is ignored. Undefined: the samples of the project. */
  readonly examples?: readonly JsonObject[] | undefined;
  /** How long the examples may take to converge. */
  readonly timeoutMs: number;
  /** Ends the wait for the examples. */
  readonly signal: AbortSignal;
  /** Whether objects stay on the cluster. */
  readonly keeps: boolean;
  readonly terminal: CommandTerminal;
  readonly clock: Clock;
  readonly verbose: boolean;
}

/** How long the namespace of a session may take to be removed from a cluster, while the operator can still finalize its objects. */
const removalMs = 20_000;
const answerWithinMs = 10_000;

type Definition = Awaited<ReturnType<typeof definitionsOf>>[number];

/**
 * An operator of a project in its process, as `evenkeel dev --once` runs it, with the examples of a bundle in a namespace of their own, on
 * an embedded API server or on a cluster.
 */
export class OperatorSession {
  readonly server: SessionServer;
  /** The namespace of the examples. */
  readonly namespace: string;
  /** What happened to the examples. */
  run: ScorecardRun = {
    examples: [],
    children: [],
    events: [],
    changedConditions: [],
    hasConverged: false,
    rejected: [],
    hasOperator: false,
  };
  /** Why the examples have not converged in time. Undefined if they have, or if no operator runs. */
  notConverged: string | undefined;
  readonly #options: OperatorSessionOptions;
  readonly #dev: DevSession | undefined;
  readonly #process: OperatorProcess | undefined;
  readonly #added: readonly string[];
  /** Errors after which the operator could not continue. */
  readonly failures: readonly Error[];
  readonly #applied: KubernetesObject[] = [];
  /** The namespaces that the session has created. */
  readonly #namespaces: string[];
  readonly #watchesAll: boolean;
  /** Whether there is an operator with controllers. */
  readonly #reconciles: boolean;

  private constructor(
    options: OperatorSessionOptions,
    parts: {
      readonly server: SessionServer;
      readonly dev: DevSession | undefined;
      readonly process: OperatorProcess | undefined;
      readonly namespace: string;
      readonly isNewNamespace: boolean;
      readonly watchesAll: boolean;
      readonly reconciles: boolean;
      readonly failures: readonly Error[];
      readonly added: readonly string[];
    },
  ) {
    this.#options = options;
    this.server = parts.server;
    this.namespace = parts.namespace;
    this.#dev = parts.dev;
    this.#process = parts.process;
    this.#namespaces = parts.isNewNamespace ? [parts.namespace] : [];
    this.#watchesAll = parts.watchesAll;
    this.#reconciles = parts.reconciles;
    this.#added = parts.added;
    this.failures = parts.failures;
  }

  /**
   * Starts everything, and waits for the examples. Returns undefined if the project has errors, which have been reported, or if there is
   * no controller or no sample to observe.
   */
  static async open(options: OperatorSessionOptions): Promise<OperatorSession | undefined> {
    const { configPath, terminal, verbose, clock } = options;
    const { folder } = terminal;
    const failures: Error[] = [];
    const narrate = ({ topic, text }: NarratorEvent): void => {
      if (verbose) terminal.err(`${topic}: ${text}`);
    };
    const narrator = new Narrator(narrate, clock, clock.monotonic());
    const server = {
      ...(options.kubeconfig === undefined ? {} : { kubeconfig: options.kubeconfig }),
      ...{ folder, stateFolder: join(configPath === undefined ? folder : dirname(configPath), '.evenkeel') },
      ...{ narrator, clock, verbose },
    };
    if (configPath === undefined) {
      const opened = await SessionServer.open(server);
      return await closingOnError(
        async () => {
          const added = await addedDefinitions(opened.client, options.definitions);
          // The others belong to an operator that may run there, and that may convert their versions.
          const missing = definitionsOf(options.definitions).filter(({ metadata }) => added.includes(metadata.name));
          await new InstalledDefinitions(opened.client, narrator).install(missing);
          const { namespace, isNew } = await namespaceFor(opened.client, undefined);
          const parts = {
            server: opened,
            dev: undefined,
            process: undefined,
            failures: [],
            watchesAll: true,
            reconciles: false,
          };
          const session = new OperatorSession(options, { ...parts, namespace, isNewNamespace: isNew, added });
          await session.#apply(exampleObjects(options.examples ?? []), undefined);
          return session;
        },
        () => opened.close(),
      );
    }
    const process = new OperatorProcess(startOperatorChild(folder, 2));
    return await closingOnError(
      async () => {
        const loaded = await process.load({ configPath, folder, verbose, generated: undefined });
        const { program, findings } = loaded;
        if (program === undefined || hasErrors(findings)) {
          reportFindings(findings, verbose, terminal);
          process.kill();
          return undefined;
        }
        const { controllers, samples } = program;
        // Nothing would happen.
        if (options.examples === undefined && (controllers.size === 0 || samples.length === 0)) {
          process.kill();
          return undefined;
        }
        const definitions = shipped(program.definitions, options.definitions);
        const dev = await DevSession.open({ ...server, onFailure: (error) => failures.push(error) });
        return await closingOnError(
          async () => {
            const { client } = dev.server;
            const added = await addedDefinitions(client, definitions);
            const started: SessionProgram = { process, program: { ...program, definitions }, samples: [] };
            const { namespace, isNew } = await namespaceFor(client, program.namespaces);
            await dev.run(started, () => undefined);
            const parts = {
              ...{ server: dev.server, dev, process, failures },
              ...{ watchesAll: program.namespaces === undefined, reconciles: controllers.size > 0 },
            };
            const session = new OperatorSession(options, { ...parts, namespace, isNewNamespace: isNew, added });
            const { examples } = options;
            const objects =
              examples === undefined ? (await Promise.all(samples.map(readSamples))).flat() : exampleObjects(examples);
            await session.#apply(objects, dev);
            return session;
          },
          () => dev.stop(),
        );
      },
      () => Promise.resolve(process.kill()),
    );
  }

  /** The only namespace in which the operator works. Undefined if it works in all. */
  get onlyNamespace(): string | undefined {
    return this.#watchesAll ? undefined : this.namespace;
  }

  get client(): Client {
    return this.server.client;
  }

  /** Creates a namespace that exists until the session is closed, or until the caller deletes it. */
  async createNamespace(prefix: string): Promise<string> {
    const { metadata } = await this.client.create(Namespace, { metadata: { generateName: prefix } });
    this.#namespaces.push(metadata.name);
    return metadata.name;
  }

  /** Removes what the session has created on a cluster, and stops the operator. */
  async close(): Promise<void> {
    const { keeps, kubeconfig, terminal } = this.#options;
    try {
      if (!keeps && kubeconfig !== undefined) await this.#remove();
      else if (keeps && kubeconfig !== undefined) {
        terminal.finding({
          level: 'notice',
          message: `the CRDs and the namespaces ${this.#namespaces.join(', ')} stay on the cluster`,
        });
      }
    } finally {
      if (this.#dev === undefined) await this.server.close();
      else await this.#dev.stop();
      this.#process?.kill();
    }
  }

  /** Applies the examples that the API server accepts, waits until they have converged, and observes what there is then. */
  async #apply(examples: readonly SampleObject[], dev: DevSession | undefined): Promise<void> {
    const { timeoutMs, signal } = this.#options;
    const objects = new ClusterObjects(this.client, sessionManager);
    const history = new ExampleHistory(this.client);
    const rejected: string[] = [];
    const accepted: SampleObject[] = [];
    const kinds = new Set<string>();
    let isClusterScoped = false;
    for (const example of examples) {
      const problem = await this.#check(example, objects);
      if (typeof problem === 'string') {
        rejected.push(problem);
        continue;
      }
      const { object, resource } = problem;
      const { place } = example;
      accepted.push({ object, place });
      isClusterScoped ||= !resource.namespaced;
      this.#applied.push(object);
      const kind = `${resource.plural}.${resource.group}`;
      if (!kinds.has(kind)) history.watch(resource, resource.namespaced ? this.namespace : undefined);
      kinds.add(kind);
    }
    if (dev === undefined) {
      for (const { object } of accepted) await this.#applyAlone(objects, object);
    } else {
      await dev.applySamples(accepted);
      const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      await dev.waitUntilConverged(ended).catch((error: unknown) => {
        if (!(error instanceof EvenkeelError) || error.code !== 'not-converged') throw error;
        this.notConverged = error.message;
      });
    }
    history.close();
    const uids = new Set<string>();
    for (const { object } of accepted) {
      const live = await objects.get(referenceOf(object), AbortSignal.timeout(answerWithinMs));
      if (live?.metadata.uid !== undefined) uids.add(live.metadata.uid);
    }
    const { transport } = this.server;
    const remaining = await remainingObjects(transport, uids, isClusterScoped ? undefined : this.namespace);
    const { changedConditions } = history;
    const hasConverged = this.notConverged === undefined;
    this.run = { ...remaining, changedConditions, hasConverged, rejected, hasOperator: this.#reconciles };
  }

  /** Returns the example in the session's namespace, or why the API server rejects it. */
  async #check(
    { object: given, place }: SampleObject,
    objects: ClusterObjects,
  ): Promise<string | { readonly object: KubernetesObject; readonly resource: ApiResource }> {
    const { namespace: _, name = '', ...metadata } = isJsonObject(given.metadata) ? given.metadata : {};
    const shown = `${place}: ${given.kind} ${name}`;
    const resource = await objects.resourceOf(given);
    if (resource === undefined) return `${shown}: no CRD of the bundle has ${given.apiVersion}; correct its apiVersion`;
    if (this.#options.kubeconfig !== undefined && !this.#isOfBundle(resource)) {
      return `${shown}: it is not of a kind of the bundle, so it is not created on a cluster; remove it`;
    }
    const object = {
      ...given,
      metadata: { ...metadata, name, ...(resource.namespaced ? { namespace: this.namespace } : {}) },
    } as KubernetesObject;
    const isAlone = resource.namespaced && this.#namespaces.includes(this.namespace);
    if (!isAlone && (await this.#exists(objects, object))) {
      return `${shown}: it exists on the cluster, so it is not replaced; delete it, or use another cluster`;
    }
    try {
      // The status belongs to the operator.
      const { status: _status, ...desired } = object as KubernetesObject & { status?: unknown };
      await this.client.apply(resource, desired as never, { force: true, dryRun: true });
      return { object: desired as KubernetesObject, resource };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return `${shown}: the API server rejects it: ${error.message}; correct it`;
    }
  }

  /** A bundle that nobody has read must not create anything else on a cluster, such as permissions. */
  #isOfBundle({ group, plural }: ApiResource): boolean {
    return definitionsOf(this.#options.definitions).some(({ metadata }) => metadata.name === `${plural}.${group}`);
  }

  async #exists(objects: ClusterObjects, object: KubernetesObject): Promise<boolean> {
    return (await objects.get(referenceOf(object), AbortSignal.timeout(answerWithinMs))) !== undefined;
  }

  async #applyAlone(objects: ClusterObjects, object: KubernetesObject): Promise<void> {
    const resource = await objects.resourceOf(object);
    if (resource !== undefined) await this.client.apply(resource, object as never, { force: true });
  }

  async #remove(): Promise<void> {
    const { client } = this;
    const { terminal } = this.#options;
    const objects = new ClusterObjects(client, sessionManager);
    const signal = AbortSignal.timeout(removalMs);
    for (const { apiVersion, kind, metadata } of this.#applied) {
      const resource = await objects.resourceOf({ apiVersion, kind });
      const key = { name: metadata.name, namespace: metadata.namespace };
      if (resource !== undefined) await ignoreNotFound(client.delete(resource, key));
    }
    for (const namespace of this.#namespaces) await ignoreNotFound(client.delete(Namespace, namespace));
    for (const namespace of this.#namespaces) {
      if (await untilGone(client, Namespace, namespace, signal)) continue;
      const message = `the namespace ${namespace} is still being deleted; check its finalizers with "kubectl get namespace ${namespace} -o yaml"`;
      terminal.finding({ level: 'notice', message });
    }
    for (const name of this.#added) await ignoreNotFound(client.delete(CustomResourceDefinition, name));
    for (const name of this.#added) await untilGone(client, CustomResourceDefinition, name, signal);
  }
}

/** The examples of a bundle, with their places. */
function exampleObjects(examples: readonly JsonObject[]): SampleObject[] {
  return examples.map((object, index) => ({
    object: object as unknown as KubernetesObject,
    place: `alm-examples[${index}]`,
  }));
}

/** Resolves to whether an object has gone before the signal is aborted. */
async function untilGone(
  client: Client,
  kind: typeof Namespace | typeof CustomResourceDefinition,
  name: string,
  signal: AbortSignal,
): Promise<boolean> {
  const isGone = async (): Promise<boolean> => (await ignoreNotFound(client.get(kind, name))) === undefined;
  try {
    if (await isGone()) return true;
    for await (const { type } of client.watch(kind, { fields: { 'metadata.name': name }, signal })) {
      if (type === 'DELETED' || (await isGone())) return true;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return await isGone();
}

/** The namespace that the operator watches, or a new one. */
async function namespaceFor(
  client: Client,
  watched: readonly string[] | undefined,
): Promise<{ readonly namespace: string; readonly isNew: boolean }> {
  const [first] = watched ?? [];
  if (first !== undefined && (await ignoreNotFound(client.get(Namespace, first))) !== undefined) {
    return { namespace: first, isNew: false };
  }
  const metadata = first === undefined ? { generateName: 'scorecard-' } : { name: first };
  const created = await client.create(Namespace, { metadata });
  return { namespace: created.metadata.name, isNew: true };
}

/** The names of the CRDs that do not exist yet. */
async function addedDefinitions(client: Client, definitions: readonly object[]): Promise<string[]> {
  const names = (definitions as readonly CustomResourceDefinition[]).map(({ metadata }) => metadata.name);
  const live = await Promise.all(names.map((name) => ignoreNotFound(client.get(CustomResourceDefinition, name))));
  return names.filter((_, index) => live[index] === undefined);
}

/** The CRDs of a bundle. OLM adds their conversion webhooks, which only the operator can serve. */
function definitionsOf(definitions: readonly JsonObject[]): CustomResourceDefinition[] {
  return definitions.map((definition) => {
    const { spec, ...others } = definition as unknown as CustomResourceDefinition;
    const { conversion: _, ...kept } = spec;
    return { ...others, spec: kept } as CustomResourceDefinition;
  });
}

/** The CRDs of a project, in the form in which its bundle ships them. */
function shipped(declared: readonly CustomResourceDefinition[], ofBundle: readonly JsonObject[]): Definition[] {
  const byName = new Map(definitionsOf(ofBundle).map((definition) => [definition.metadata.name, definition]));
  const own = declared.map((definition) => {
    const { conversion } = definition.spec;
    const found = byName.get(definition.metadata.name);
    byName.delete(definition.metadata.name);
    if (found === undefined) return definition;
    return { ...found, spec: { ...found.spec, ...(conversion === undefined ? {} : { conversion }) } };
  });
  return [...own, ...byName.values()];
}

function referenceOf({ apiVersion, kind, metadata }: KubernetesObject) {
  return { apiVersion, kind, namespace: metadata.namespace, name: metadata.name };
}

/** Closes what an action would have used, if the action fails. */
async function closingOnError<T>(action: () => Promise<T>, close: () => Promise<void>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    await close();
    throw error;
  }
}
