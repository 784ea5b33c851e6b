import { type ApiResource, ObjectKey } from '@evenkeel/core';
import { kindKey } from './kind-key.ts';
import { receivedError } from './operator/channel.ts';
import type { InspectAddress, LoadedProgram } from './operator/operator-contract.ts';
import { type OperatorProcess, operatorExited } from './operator/operator-process.ts';
import type { RunSummary } from './run-summary.ts';
import type { SampleObject } from './sample.ts';
import { AwaitedSamples } from './session/awaited-samples.ts';
import { commandsFor } from './session/commands-to-try.ts';
import { InstalledDefinitions } from './session/installed-definitions.ts';
import { SessionSamples } from './session/session-samples.ts';
import { SessionServer, type SessionServerOptions } from './session/session-server.ts';

export interface DevSessionOptions extends SessionServerOptions {
  /** Whether CRDs that can break objects of a cluster are installed. Default: false. On the embedded server, they always are. */
  readonly allowBreaking?: boolean;
  /** Where a debugger can attach to the operator. Default: nowhere. */
  readonly inspect?: InspectAddress;
  /** Called when an operator that was not stopped cannot continue. The session stops it. */
  readonly onFailure: (error: Error) => void;
}

/** The program of a session: the process that has loaded it, and its samples. */
export interface SessionProgram {
  readonly process: OperatorProcess;
  readonly program: LoadedProgram;
  readonly samples: readonly SampleObject[];
}

/** The limit for each look at the remaining objects; a stopping session has one second in total. */
const lastLookWithinMs = 200;

/** The maximum number of objects of a kind in the last line. */
const namedMax = 5;

/**
 * An operator in an interactive session: an API server (embedded, or of a cluster), the CRDs of its classes, the process of its
 * manager, and its samples. It reports everything as it happens.
 */
export class DevSession {
  readonly #options: DevSessionOptions;
  #place: Place;
  /** Undefined before the first one, and after one has failed. */
  #operator: OperatorProcess | undefined;
  #program: LoadedProgram | undefined;
  /** A child that the operator recreates after a deletion. */
  #child: string | undefined;
  #hasConverged = false;

  private constructor(server: SessionServer, options: DevSessionOptions) {
    this.#options = options;
    this.#place = this.#placeOn(server);
  }

  /** Starts the API server, or connects to it. */
  static async open(options: DevSessionOptions): Promise<DevSession> {
    return new DevSession(await SessionServer.open(options), options);
  }

  get server(): SessionServer {
    return this.#place.server;
  }

  /** Whether an operator runs, or is being started. */
  get hasOperator(): boolean {
    return this.#operator !== undefined;
  }

  /** The API groups of the project's kinds. */
  get groups(): ReadonlySet<string> {
    return new Set(this.#program?.definitions.map(({ spec }) => spec.group));
  }

  /**
   * Runs a program, instead of the current one if there is one: installs changed CRDs, starts the operator, and applies changed
   * samples. Throws before it stops the current operator if the API server would reject a CRD, or if a sample is invalid.
   *
   * @param onStarted called with the names of the controllers, before samples are applied.
   */
  async run(
    { process, program, samples: objects }: SessionProgram,
    onStarted: (controllers: readonly string[]) => void,
  ): Promise<void> {
    const { server, definitions, samples } = this.#place;
    const changed = definitions.changedIn(program.definitions);
    if (this.#operator !== undefined) await definitions.check(changed);
    if (server.port === undefined) await definitions.compare(changed, this.#options.allowBreaking === true);
    // The first program on a server replaces no running one, and a kind may exist only after its installation.
    const resolved = this.#operator === undefined ? undefined : await samples.resolve(objects, program);
    await server.webhooks.beginHandover(new Set(changed.map(({ metadata }) => metadata.name)));
    try {
      await this.stopOperator();
      await definitions.install(changed);
      for (const name of definitions.forgetOthers(program.definitions)) {
        this.#options.narrator.report('crd', `${name} is no longer declared; it stays on the server with its objects`);
      }
      this.#program = program;
      onStarted(await this.#start(process));
    } finally {
      await server.webhooks.endHandover();
    }
    await samples.apply(resolved ?? (await samples.resolve(objects, program)));
  }

  /** Applies the samples that have changed. Throws `invalid-sample`. */
  async applySamples(objects: readonly SampleObject[]): Promise<void> {
    if (this.#program === undefined) return;
    const { samples } = this.#place;
    await samples.apply(await samples.resolve(objects, this.#program));
  }

  /** Resolves when every sample has converged; see {@link AwaitedSamples.waitFor}. */
  async waitUntilConverged(signal: AbortSignal): Promise<void> {
    const { awaited, samples } = this.#place;
    await awaited.waitFor(samples.withGoal, signal);
    this.#hasConverged = true;
  }

  /** Prints which sample has not converged yet, and why. */
  async reportWaiting(): Promise<void> {
    await this.#place.awaited.report();
  }

  /**
   * Returns the names of this operator's objects and samples that have finalizers, so that they cannot be deleted without an operator: up
   * to five of a kind, or `objects of Site` if they cannot be read in time.
   */
  async heldByFinalizers(): Promise<string[]> {
    const kinds = new Map(this.#place.samples.all.map(({ resource }) => [kindKey(resource), resource]));
    for (const [key, { resource, finalizes }] of this.#program?.controllers ?? [])
      if (finalizes) kinds.set(key, resource);
    return (await Promise.all([...kinds.values()].map((resource) => this.#heldOf(resource)))).flat();
  }

  async #heldOf(resource: ApiResource): Promise<string[]> {
    const signal = AbortSignal.timeout(lastLookWithinMs);
    const list = await this.server.client.list(resource, { signal }).catch(() => undefined);
    if (list === undefined) return [`objects of ${resource.kind}`];
    const held = list.items.filter(({ metadata }) => (metadata.finalizers ?? []).length > 0);
    const named = held.slice(0, namedMax).map((object) => `${resource.kind} ${ObjectKey.of(object)}`);
    return held.length > namedMax ? [...named, `${held.length - namedMax} more of ${resource.kind}`] : named;
  }

  /** Up to three commands to try on the running operator. */
  commandsWorthTrying(): string[] {
    const [sample] = this.#place.samples.withGoal;
    return sample === undefined ? [] : commandsFor(sample, this.#child);
  }

  /** Replaces the embedded server by an empty one at the same port. No operator runs afterwards. */
  async reset(): Promise<void> {
    await this.stopOperator();
    const { port } = this.server;
    await this.server.close();
    const server = await SessionServer.open({ ...this.#options, ...(port === undefined ? {} : { port }) });
    this.#place = this.#placeOn(server);
    await server.announce(this.#options.narrator);
  }

  /** Stops the current operator. Its current runs get a grace period. */
  async stopOperator(): Promise<void> {
    const operator = this.#operator;
    this.#operator = undefined;
    await operator?.stop();
    // The next process listens for a debugger at the same port.
    if (this.#options.inspect !== undefined) await operator?.exited;
  }

  /** Stops the operator, then the server, within a second. */
  async stop(): Promise<void> {
    this.#place.awaited.end();
    await this.stopOperator();
    await this.server.close();
  }

  async #start(process: OperatorProcess): Promise<readonly string[]> {
    const { narrator, inspect } = this.#options;
    const { webhooks, kubeconfig } = this.server;
    this.#operator = process;
    process.listen({
      report: ({ topic, text, options }) => narrator.report(topic, text, options),
      renew: (about) => narrator.renew(about),
      quote: (stack) => narrator.quote(stack),
      ran: (run) => this.#note(run),
      failed: (error) => void this.#fail(process, receivedError(error)),
      policyKinds: () => webhooks.policyKinds(),
      serve: (hosted) => webhooks.serve(process, hosted),
      leave: (id) => webhooks.leave(process, id),
    });
    void process.exited.then(async (reason) => {
      await webhooks.leave(process).catch(() => undefined);
      if (!process.isStopping) await this.#fail(process, operatorExited(reason));
    });
    const options = { kubeconfig, ...(inspect === undefined ? {} : { inspect }) };
    try {
      const { controllers } = await process.operator.call('start', options);
      return controllers;
    } catch (error) {
      this.#operator = undefined;
      throw error;
    }
  }

  async #fail(process: OperatorProcess, error: Error): Promise<void> {
    // Only the first failure counts, and none while it is stopped anyway.
    if (this.#operator !== process || process.isStopping) return;
    this.#options.onFailure(error);
    await this.stopOperator();
  }

  #note(run: RunSummary): void {
    this.#place.awaited.note(run);
    // Objects created later, such as the Job of a schedule, may not be recreated.
    if (!this.#hasConverged) this.#child ??= run.created;
  }

  #placeOn(server: SessionServer): Place {
    const { narrator } = this.#options;
    const { client, transport } = server;
    return {
      server,
      definitions: new InstalledDefinitions(client, narrator),
      samples: new SessionSamples(client, transport, narrator),
      awaited: new AwaitedSamples({
        client,
        narrator,
        isReconciled: (kind) => this.#program?.controllers.has(kind) === true,
        running: async () => (await this.#operator?.operator.call('running', undefined).catch(() => undefined)) ?? [],
      }),
    };
  }
}

/** A server, and the objects of the session on it. */
interface Place {
  readonly server: SessionServer;
  readonly definitions: InstalledDefinitions;
  readonly samples: SessionSamples;
  readonly awaited: AwaitedSamples;
}
