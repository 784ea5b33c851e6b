import type { ApiServerOptions } from '@evenkeel/apiserver';
import { type Client, createClient } from '@evenkeel/client';
import {
  type Clock,
  type Duration,
  durationMs,
  EvenkeelError,
  isNotFound,
  type Random,
  SystemClock,
  SystemRandom,
  type Transport,
} from '@evenkeel/core';
import { type CustomResourceDefinition, Namespace } from '@evenkeel/kinds';
import { type EventuallyOptions, eventually } from './eventually.ts';
import { type InstalledDefinition, installDefinition, removeDefinition } from './install-definition.ts';
import { openTestServer } from './server/open-test-server.ts';
import type { EnvironmentKind, TestServer } from './server/test-server.ts';

export interface EnvironmentOptions {
  /**
   * Default: `cluster` where `USE_EXISTING_CLUSTER` is `true`, else `envtest` where `KUBEBUILDER_ASSETS` is set, else
   * `embedded`. `KUBECONFIG` alone never makes a cluster of a developer the target of a test.
   */
  readonly kind?: EnvironmentKind;
  /** CRDs that are installed at once, as by {@link Environment.install}. */
  readonly definitions?: readonly CustomResourceDefinition[];
  /** The embedded server's and the operators'. Default: the system's. */
  readonly clock?: Clock;
  /** The embedded server's and the operators'. Default: the system's. */
  readonly random?: Random;
  /** The embedded server's controllers, as {@link ApiServerOptions} has them: `false` makes it as bare as envtest. Default: all. */
  readonly controllers?: ApiServerOptions['controllers'];
  /** On a cluster, how long its namespaces may take to end when the environment is closed. Default `'60s'`. */
  readonly removalTimeout?: Duration;
  /** Environment variables. Default: the process's. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** What an operator under test is given: `createManager({ ...connection, controllers })` takes it as it is. */
export interface OperatorConnection {
  /** This operator's own; the environment closes it after the operator has been stopped. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
}

/** What an environment must know of an operator to end it. */
export interface Stoppable {
  /** May be called again after the test has called it. */
  stop(): Promise<unknown>;
}

/**
 * An API server for a test, and what a test does with it. The same test runs on the embedded server, on a real
 * kube-apiserver (`KUBEBUILDER_ASSETS`), and on a cluster (`USE_EXISTING_CLUSTER=true`, found by `KUBECONFIG` as kubectl
 * does), as far as it does not need what a bare kube-apiserver lacks: controllers.
 *
 * Close it, or declare it with `await using`. Embedded and envtest servers end with all that is in them, also when the
 * process dies. From a cluster the namespaces and CRDs are removed that this environment added: tests that install the
 * same CRD there must run one after another (`jest --runInBand`).
 */
export class Environment implements AsyncDisposable {
  readonly #server: TestServer;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #removalTimeout: Duration;
  readonly #operators: { operator: Stoppable; transport: Transport }[] = [];
  readonly #namespaces: string[] = [];
  readonly #definitions: InstalledDefinition[] = [];
  #closing: Promise<void> | undefined;

  /** For the test's own requests; as an administrator, with the field manager `evenkeel-testing`. */
  readonly client: Client;
  /** What {@link client} sends through, for requests of other kinds. */
  readonly transport: Transport;

  private constructor(server: TestServer, clock: Clock, random: Random, removalTimeout: Duration) {
    this.#server = server;
    this.#clock = clock;
    this.#random = random;
    this.#removalTimeout = removalTimeout;
    this.transport = server.connect();
    this.client = createClient(this.transport, { fieldManager: 'evenkeel-testing', userAgent: 'evenkeel-testing' });
  }

  /**
   * Starts a server, or connects to a cluster. Throws `test-assets-missing` and `test-server-not-started`, and for a cluster
   * what a client throws that does not find or reach it. What was started by then has been stopped.
   */
  static async create(options: EnvironmentOptions = {}): Promise<Environment> {
    const { kind, variables = process.env, clock = new SystemClock(), random = new SystemRandom() } = options;
    const { controllers, removalTimeout = '60s' } = options;
    const server = await openTestServer({ kind, variables, embedded: { clock, random, controllers } });
    const environment = new Environment(server, clock, random, removalTimeout);
    try {
      await environment.install(...(options.definitions ?? []));
      return environment;
    } catch (error) {
      await environment.close();
      throw error;
    }
  }

  get kind(): EnvironmentKind {
    return this.#server.kind;
  }

  /**
   * The path of a kubeconfig file for other programs: kubectl, an operator in a process of its own. It is there until the
   * environment is closed. The embedded server listens, on loopback, from the first call on.
   */
  kubeconfig(): Promise<string> {
    return this.#server.kubeconfig();
  }

  /**
   * Applies CRDs and waits until their kinds can be used. On a cluster one that was there before is changed, and stays.
   * Throws `not-converged` where one is not served within 10 s.
   */
  async install(...definitions: readonly CustomResourceDefinition[]): Promise<void> {
    for (const definition of definitions) {
      const installed = await installDefinition(this.client, definition);
      if (installed.isNew) this.#definitions.push(installed);
    }
  }

  /** Makes a namespace with a name of its own, `test-` and five random characters, and resolves with that name. */
  async createNamespace(): Promise<string> {
    const { metadata } = await this.client.create(Namespace, { metadata: { generateName: 'test-' } });
    this.#namespaces.push(metadata.name);
    return metadata.name;
  }

  /**
   * Starts an operator and resolves with what `operator` does: whatever it is, it has a `stop()`, which is called when the
   * environment is closed. Several may run at once.
   */
  async run<T extends Stoppable>(operator: (connection: OperatorConnection) => Promise<T>): Promise<T> {
    const transport = this.#server.connect();
    try {
      const running = await operator({ transport, clock: this.#clock, random: this.#random });
      this.#operators.push({ operator: running, transport });
      return running;
    } catch (error) {
      await transport.close();
      throw error;
    }
  }

  /** {@link eventually}: calls an assertion until it holds. */
  eventually<T>(assertion: () => T | Promise<T>, options?: EventuallyOptions): Promise<T> {
    return eventually(assertion, options);
  }

  /**
   * Stops the operators, then the server. On a cluster the namespaces are removed first, while the operators can still
   * finalize what is in them, and the CRDs last. Every step is tried, whatever the others do; rejects afterwards with what
   * went wrong: `namespace-not-removed` where a namespace does not end in time. Safe to call again.
   */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    const errors: unknown[] = [];
    const attempt = async (steps: readonly (() => Promise<unknown>)[]): Promise<void> => {
      const outcomes = await Promise.allSettled(steps.map((step) => step()));
      for (const outcome of outcomes) if (outcome.status === 'rejected') errors.push(outcome.reason);
    };
    const isKept = this.kind === 'cluster';
    if (isKept) await attempt(this.#namespaces.map((name) => () => this.#removeNamespace(name)));
    await attempt(
      this.#operators.map(
        ({ operator }) =>
          () =>
            operator.stop(),
      ),
    );
    if (isKept) await attempt(this.#definitions.map((it) => () => removeDefinition(this.client, it)));
    await attempt([this.transport, ...this.#operators.map(({ transport }) => transport)].map((it) => () => it.close()));
    await attempt([() => this.#server.close()]);
    if (errors.length > 1) {
      throw new AggregateError(errors, errors.map((error) => (error as Error).message).join('\n'));
    }
    if (errors.length === 1) throw errors[0];
  }

  async #removeNamespace(name: string): Promise<void> {
    const timeout = this.#removalTimeout;
    try {
      await this.client.delete(Namespace, name);
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    let last: Namespace | undefined;
    const isGone = async (): Promise<void> => {
      try {
        last = await this.client.get(Namespace, name);
      } catch (error) {
        if (isNotFound(error)) return;
        throw error;
      }
      throw new Error(`namespace ${name} is there`);
    };
    await eventually(isGone, { timeout }).catch((cause: unknown) => {
      const remaining = last?.status?.conditions?.filter(({ status }) => status === 'True') ?? [];
      const why = remaining.map(({ message }) => `: ${message}`).join('');
      throw new EvenkeelError(
        'namespace-not-removed',
        `namespace ${name} has not ended ${durationMs(timeout) / 1000} s after it was deleted${why}; ` +
          'look for finalizers that nobody takes off, and remove it yourself',
        { cause },
      );
    });
  }
}
