import type { ApiServerOptions } from '@evenkeel/apiserver';
import { type Client, createClient } from '@evenkeel/client';
import {
  type Clock,
  type Duration,
  durationMs,
  EvenkeelError,
  type Random,
  SystemClock,
  SystemRandom,
  type Transport,
} from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { eventuallyAmong } from './eventually.ts';
import {
  abandonConversion,
  type InstalledDefinition,
  installDefinition,
  removeDefinition,
  waitUntilRemoved,
} from './install-definition.ts';
import { closeJournal, openJournal } from './journal/open-journals.ts';
import { OperatorJournal } from './journal/operator-journal.ts';
import { isTestLogLevel, TestLog, type TestLogLevel } from './journal/test-log.ts';
import { watchedTransport } from './journal/watched-reads.ts';
import { openTestServer } from './server/open-test-server.ts';
import type { EnvironmentKind, TestServer } from './server/test-server.ts';
import { TestNamespaces } from './test-namespaces.ts';
import type { EventuallyOptions } from './wait.ts';
import { ServingWebhookHost } from './webhook/serving-webhook-host.ts';

/** The options of {@link Environment.create}. */
export interface EnvironmentOptions {
  /**
   * Default: `cluster` if `USE_EXISTING_CLUSTER` is `true`, otherwise `envtest` if `KUBEBUILDER_ASSETS` is set,
   * otherwise `embedded`. `KUBECONFIG` alone never selects a cluster, so that a test does not use a developer's cluster
   * by mistake.
   */
  readonly kind?: EnvironmentKind;
  /** CRDs to install at the start, as by {@link Environment.install}. */
  readonly definitions?: readonly CustomResourceDefinition[];
  /** The clock of the embedded server and the operators. Default: the system's. */
  readonly clock?: Clock;
  /** The random numbers of the embedded server and the operators. Default: the system's. */
  readonly random?: Random;
  /**
   * The controllers of the embedded server, as in `ApiServerOptions` of `@evenkeel/apiserver`. `false` starts none, as in envtest.
   * Default: all.
   */
  readonly controllers?: ApiServerOptions['controllers'];
  /**
   * The audit log of the embedded server, as in `ApiServerOptions` of `@evenkeel/apiserver`. Other servers ignore it. Default: none.
   */
  readonly audit?: ApiServerOptions['audit'];
  /**
   * Whether operators on an existing cluster may reconcile all objects there, as those of cluster-scoped kinds must. Default: a
   * manager without `namespaces` is rejected, because it would also change, and finalize, objects that others use.
   */
  readonly allNamespaces?: boolean;
  /**
   * On a cluster, the time limit for removing the namespaces when the environment is closed. Operators that still run have 60 % of it
   * for their finalizers. Default: `'25s'`, which is less than the 30 s that hooks of tests on a cluster often have.
   */
  readonly removalTimeout?: Duration;
  /**
   * Prints the runs and log lines of the operators, from this level up, while the test runs. A run has the level `info`,
   * or `error` if it failed. Works for each manager on a transport of this environment, also if it has another logger.
   * Default: the environment variable `EVENKEEL_TEST_LOGS`; otherwise nothing is printed.
   */
  readonly logs?: TestLogLevel;
  /** Where `logs` are printed. Default: `process.stderr`, which Jest and Vitest neither delay nor decorate. */
  readonly output?: { write(text: string): unknown };
  /** The environment variables. Default: the process's. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** The parameter of an operator under test; pass it on as `createManager({ ...connection, controllers })`. */
export interface OperatorConnection {
  /**
   * A separate transport for this operator. The environment closes it after the operator has stopped. If you wrap it,
   * pass `witness` and `webhookHost` on: they report the operator's runs to failed waits, and register its webhooks.
   */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
}

/** A part of a test that lives as long as the environment, such as a PodRunner. */
export interface EnvironmentGuest {
  /** Called when the environment is closed, before the server stops. May be called again. */
  close(): Promise<unknown>;
  /** Returns lines for the messages of failed waits. */
  describe(): readonly string[];
}

/** An operator that the environment can stop. */
export interface Stoppable {
  /** The environment calls it even if the test has already called it. */
  stop(): Promise<unknown>;
}

/**
 * An API server for a test. The same test runs on the embedded server, on a real kube-apiserver (`KUBEBUILDER_ASSETS`),
 * and on a cluster (`USE_EXISTING_CLUSTER=true`, found by `KUBECONFIG` as in kubectl), unless it needs controllers,
 * which a bare kube-apiserver does not have.
 *
 * Close it, or declare it with `await using`. Embedded and envtest servers are removed with all their contents, even if
 * the process is killed. On a cluster, only the namespaces and CRDs that this environment added are removed. Tests that
 * install the same CRD there must run one after another (`jest --runInBand`).
 */
export class Environment implements AsyncDisposable {
  readonly #server: TestServer;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #journal: OperatorJournal;
  readonly #operators: { operator: Stoppable; transport: Transport }[] = [];
  readonly #namespaces: TestNamespaces;
  /** Whether an operator runs that has no manager on a transport of this environment, so its end cannot be detected. */
  #hasSilentOperator = false;
  readonly #definitions: InstalledDefinition[] = [];
  readonly #webhooks: ServingWebhookHost;
  readonly #guests: EnvironmentGuest[] = [];
  #closing: Promise<void> | undefined;

  /** The client of the test, with administrator permissions and the field manager `evenkeel-testing`. */
  readonly client: Client;
  /** The transport of {@link client}, for other requests, and for an RbacAudit of an operator with webhooks. */
  readonly transport: Transport;

  private constructor(
    server: TestServer,
    journal: OperatorJournal,
    clock: Clock,
    random: Random,
    removalTimeout: Duration,
  ) {
    this.#server = server;
    this.#journal = journal;
    this.#clock = clock;
    this.#random = random;
    const connection = server.connect();
    openJournal(journal);
    const own = { fieldManager: 'evenkeel-testing', userAgent: 'evenkeel-testing' };
    this.client = createClient(watchedTransport(connection, journal), own);
    // The environment may have a clock that only the test advances.
    this.#webhooks = new ServingWebhookHost({ client: this.client, door: server.door, clock: new SystemClock() });
    this.transport = watchedTransport(connection, journal, this.#webhooks);
    const timeoutMs = durationMs(removalTimeout);
    this.#namespaces = new TestNamespaces({ client: this.client, transport: this.transport, journal, timeoutMs });
  }

  /**
   * Starts a server, or connects to a cluster. Throws `test-assets-missing` and `test-server-not-started`; for a
   * cluster, throws the errors of a client that does not find or reach it. After an error, everything that was started
   * has been stopped.
   */
  static async create(options: EnvironmentOptions = {}): Promise<Environment> {
    const call = new Error();
    const { kind, variables = process.env, clock = new SystemClock(), random = new SystemRandom() } = options;
    const { controllers, audit, removalTimeout = '25s', allNamespaces = false } = options;
    const log = testLog(options, variables);
    const server = await openTestServer({
      kind,
      variables,
      embedded: { clock, random, controllers, ...(audit && { audit }) },
    });
    const withoutControllers = whyNoControllers(server.kind, controllers);
    const needsNamespaces = server.kind === 'cluster' && !allNamespaces;
    const journal = new OperatorJournal({ call, clock, log, withoutControllers, needsNamespaces });
    const environment = new Environment(server, journal, clock, random, removalTimeout);
    try {
      // Other servers are new.
      if (server.kind === 'cluster') await environment.#webhooks.removeAbandoned();
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
   * Returns the path of a kubeconfig for other programs, such as kubectl or an operator in another process. The file
   * exists until the environment is closed. The first call makes the embedded server listen on the loopback interface.
   */
  kubeconfig(): Promise<string> {
    return this.#server.kubeconfig();
  }

  /**
   * Applies CRDs and waits until the server serves their kinds. On a cluster, an existing CRD is changed and is not removed later. It
   * keeps its conversion webhook, except while an operator of this environment serves the conversion. Throws `not-converged` if a
   * kind is not served within 10 s.
   */
  async install(...definitions: readonly CustomResourceDefinition[]): Promise<void> {
    for (const definition of definitions) {
      const installed = await installDefinition(this.client, definition);
      if (installed.isNew) this.#definitions.push(installed);
      if (installed.stored !== undefined) this.#namespaces.addInstalled(installed.stored);
    }
  }

  /** Creates a namespace with a unique name, `test-` and five random characters, and resolves to the name. */
  createNamespace(): Promise<string> {
    return this.#namespaces.create();
  }

  /**
   * Deletes a namespace of this environment whose operators have stopped, and does not wait until it is gone. On a cluster, first
   * removes the finalizers of its objects whose kinds were installed with {@link install}, so that {@link close} takes less time. On
   * other servers, does nothing, because they are removed with all their contents. Rejects with `invalid-option` if this environment
   * did not create the namespace. Sweeps call it after each round.
   */
  async releaseNamespace(name: string): Promise<void> {
    if (this.kind === 'cluster') await this.#namespaces.release(name);
  }

  /**
   * Starts an operator and resolves to the result of `operator`. Its `stop()` is called when the environment is closed.
   * Several operators may run at once, and so may replicas of one operator with leader election. Rejects with
   * `operator-runs-twice` if another manager on a transport of this environment has the same controller for the same
   * namespaces, and has not been stopped. On a cluster, rejects with `test-in-all-namespaces` if a manager has no `namespaces`.
   */
  async run<T extends Stoppable>(operator: (connection: OperatorConnection) => Promise<T>): Promise<T> {
    const transport = watchedTransport(this.#server.connect(), this.#journal, this.#webhooks);
    const connection = { transport, clock: this.#clock, random: this.#random };
    try {
      const call = new Error();
      const running = await this.#journal.starting(call, () => operator(connection));
      if (typeof (running as Partial<Stoppable> | undefined)?.stop !== 'function') {
        throw new EvenkeelError(
          'invalid-option',
          'environment.run(): its function returned nothing with stop(), so close() could not stop the operator; return the manager',
        );
      }
      if (this.#journal.silentStart?.call === call) this.#hasSilentOperator = true;
      this.#operators.push({ operator: running, transport });
      return running;
    } catch (error) {
      await transport.close();
      throw error;
    }
  }

  /** Closes a part of the test with this environment, and describes it in the messages of failed waits. */
  join(guest: EnvironmentGuest): void {
    this.#guests.push(guest);
    this.#journal.addGuest(guest);
  }

  /** Calls an assertion until it passes; see {@link eventually}. */
  eventually<T>(assertion: () => T | Promise<T>, options?: EventuallyOptions): Promise<T> {
    return eventuallyAmong([this.#journal], this.eventually, assertion, options ?? {});
  }

  /**
   * Stops the operators, then the server. Also stops every manager that a test created on {@link transport} and did not stop:
   * it would keep the process open and send requests to a server that is gone.
   *
   * On a cluster, removes what this environment created, in this order:
   * 1. It deletes the namespaces, while the operators can still finalize their objects.
   * 2. It stops the operators, and removes their webhooks and conversions.
   * 3. It removes the finalizers that are left in these namespaces, except those of Kubernetes, and changes no other namespace.
   *    Other programs have 5 s to remove their finalizers from objects whose kinds this environment did not install.
   * 4. It deletes the CRDs that it installed, and waits until they are gone.
   *
   * Tries every step even if others fail, then rejects with all errors, such as `namespace-not-removed` if a namespace is not removed
   * in time, or if a running operator did not remove its finalizers. May be called again.
   */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Whether an operator may still finalize the objects of a namespace. */
  #isServed(namespace: string): boolean {
    const managers = this.#journal.active.filter(({ isActive }) => isActive).map(({ manager }) => manager);
    return (
      this.#hasSilentOperator ||
      managers.some(({ namespaces }) => namespaces === undefined || namespaces.includes(namespace))
    );
  }

  async #end(): Promise<void> {
    const errors: unknown[] = [];
    const attempt = async (steps: readonly (() => Promise<unknown>)[]): Promise<void> => {
      const outcomes = await Promise.allSettled(steps.map((step) => step()));
      for (const outcome of outcomes) if (outcome.status === 'rejected') errors.push(outcome.reason);
    };
    const isKept = this.kind === 'cluster';
    if (isKept) await attempt([() => this.#namespaces.deleteServed((name) => this.#isServed(name))]);
    const unstopped = [...this.#journal.active];
    await attempt([
      ...this.#operators.map(
        ({ operator }) =>
          () =>
            operator.stop(),
      ),
      ...unstopped.map(
        ({ manager }) =>
          () =>
            manager.stop(),
      ),
    ]);
    await attempt(this.#guests.map((guest) => () => guest.close()));
    await attempt([() => this.#webhooks.close()]);
    if (isKept) {
      await attempt(this.#definitions.map((it) => () => abandonConversion(this.client, it)));
      await attempt([() => this.#namespaces.removeAll()]);
      await attempt(this.#definitions.map((it) => () => removeDefinition(this.client, it)));
      await attempt(this.#definitions.map((it) => () => waitUntilRemoved(this.client, it)));
    }
    await attempt([this.transport, ...this.#operators.map(({ transport }) => transport)].map((it) => () => it.close()));
    await attempt([() => this.#server.close()]);
    closeJournal(this.#journal);
    if (errors.length > 1) {
      throw new AggregateError(errors, errors.map((error) => (error as Error).message).join('\n'));
    }
    if (errors.length === 1) throw errors[0];
  }
}

/** Why the server runs no Deployment controller, garbage collector and so on. Undefined: it runs them. */
function whyNoControllers(kind: EnvironmentKind, controllers: EnvironmentOptions['controllers']): string | undefined {
  if (kind === 'envtest') return 'it is a kube-apiserver alone (kind envtest, from KUBEBUILDER_ASSETS)';
  return kind === 'embedded' && controllers === false ? 'it was created with controllers: false' : undefined;
}

const logsVariable = 'EVENKEEL_TEST_LOGS';

function testLog(
  { logs, output }: EnvironmentOptions,
  variables: Readonly<Record<string, string | undefined>>,
): TestLog | undefined {
  if (logs !== undefined) return new TestLog(logs, output);
  const level = variables[logsVariable] ?? '';
  if (level === '') return undefined;
  if (isTestLogLevel(level)) return new TestLog(level, output);
  throw new EvenkeelError(
    'invalid-option',
    `${logsVariable}: unknown level ${JSON.stringify(level)}; use debug, info, warn or error`,
  );
}
