import { type Client, createClient } from '@evenkeel/client';
import type { ConcreteClass } from '@evenkeel/core';
import { type KubernetesObject, type Logger, type LogKeys, SilentLogger } from '@evenkeel/core';
import { createManager, type Manager } from '../../packages/runtime/src/manager/manager.ts';
import type { ManagerOptions } from '../../packages/runtime/src/options/manager-options.ts';
import type { ReconcileRun } from '../../packages/runtime/src/reconcile/reconcile-run.ts';
import type { ApiBackend } from '../api-backend.fixture.ts';

/** The time limit of a test for an expected event. */
const patienceMs = 90_000;

/** Records warnings, except that of a blocked event loop, which a busy machine can cause too. */
export class Warnings extends SilentLogger {
  readonly lines: { readonly message: string; readonly keys: LogKeys }[] = [];

  readonly infos: string[] = [];

  override info(message = ''): void {
    this.infos.push(message);
  }

  override warn(message = '', keys: LogKeys = {}): void {
    if (!message.startsWith('the event loop was blocked')) this.lines.push({ message, keys });
  }

  override error(message = '', keys: LogKeys = {}): void {
    this.lines.push({ message, keys });
  }

  override child(): Logger {
    return this;
  }
}

/** An operator on the namespace `default` of a server, and a client of the test. */
export class TestOperator {
  readonly client: Client;
  readonly manager: Manager;
  readonly runs: ReconcileRun[];
  readonly warnings: Warnings['lines'];
  readonly infos: readonly string[];

  private constructor(client: Client, manager: Manager, runs: ReconcileRun[], logged: Warnings) {
    this.client = client;
    this.manager = manager;
    this.runs = runs;
    this.warnings = logged.lines;
    this.infos = logged.infos;
  }

  static async start(
    backend: ApiBackend,
    controllers: readonly ConcreteClass[],
    options: Partial<ManagerOptions> = {},
  ): Promise<TestOperator> {
    const operator = await TestOperator.begin(backend, controllers, options);
    await operator.manager.waitUntilReady(AbortSignal.timeout(patienceMs));
    return operator;
  }

  /** Like {@link start}, without waiting until it is ready. */
  static async begin(
    backend: ApiBackend,
    controllers: readonly ConcreteClass[],
    options: Partial<ManagerOptions> = {},
  ): Promise<TestOperator> {
    const transport = backend.transport();
    const runs: ReconcileRun[] = [];
    const logger = new Warnings();
    const manager = await createManager({
      transport,
      controllers,
      namespaces: ['default'],
      logger,
      observer: (run) => runs.push(run),
      ...options,
    });
    await manager.start();
    return new TestOperator(createClient(transport, { fieldManager: 'test' }), manager, runs, logger);
  }

  /** The outcomes of the runs of an object so far. */
  outcomes(name: string): string[] {
    return this.runs.filter(({ key }) => key.name === name).map(({ outcome }) => outcome);
  }

  /** Resolves when `holds` returns true. Calls it after each turn of the event loop and a short time. */
  until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    return TestOperator.until(what, holds);
  }

  /** Like {@link until} of an operator, before there is one. */
  static async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    const endMs = performance.now() + patienceMs;
    while (!(await holds())) {
      if (performance.now() > endMs) throw new Error(`${what}: still not so after ${patienceMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Resolves with the object in the namespace `default` as soon as `holds` returns true for it. */
  async object<T extends KubernetesObject>(
    kind: new () => T,
    name: string,
    holds: (object: T) => boolean = () => true,
  ): Promise<T> {
    const signal = AbortSignal.timeout(patienceMs);
    for await (const event of this.client.watch(kind, {
      namespace: 'default',
      fields: { 'metadata.name': name },
      signal,
    })) {
      if (event.type !== 'BOOKMARK' && event.type !== 'DELETED' && holds(event.object as T)) return event.object as T;
    }
    throw new Error(`the watch of ${name} ended`);
  }
}
