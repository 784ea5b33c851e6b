import { Client, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import type { ConcreteClass } from '@evenkeel/core';
import {
  Controller,
  CustomResource,
  ignoreNotFound,
  KubernetesObject,
  ListerOf,
  type LogKeys,
  ObjectKey,
  Owns,
  Reconcile,
  SilentLogger,
  Spec,
  Status,
  type Transport,
  Watches,
} from '@evenkeel/core';
import { ConfigMap, CustomResourceDefinition, Secret } from '@evenkeel/kinds';
import { Lister } from '../../packages/runtime/src/cache/index.ts';
import { createManager, type Manager } from '../../packages/runtime/src/manager/manager.ts';
import { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import type { ReconcileRun } from '../../packages/runtime/src/reconcile/reconcile-run.ts';
import { describeWithRealServer, type RealServer, startRealServer } from '../real-server.fixture.ts';
import { definitionOf } from './definition.fixture.ts';

class WebsiteSpec {
  text = '';
}

class WebsiteStatus {
  seen?: string;
}

@CustomResource({ group: 'runtime.example.com', version: 'v1' })
class Website extends KubernetesObject {
  @Spec() spec!: WebsiteSpec;
  @Status() status!: WebsiteStatus;
}

@Controller(Website)
@Owns(ConfigMap)
class WebsiteController {
  @Reconcile()
  async reconcile(website: Website, context: ReconcileContext): Promise<void> {
    const page: ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: website.metadata.name },
      data: { text: website.spec.text },
    };
    await context.apply(page);
    website.status.seen = website.spec.text;
  }
}

const hold: { entered: () => void; release: Promise<void> } = { entered: () => {}, release: Promise.resolve() };

@Controller(ConfigMap, { name: 'copier' })
@Owns(Secret)
class CopyController {
  @Reconcile()
  async reconcile(map: ConfigMap, context: ReconcileContext): Promise<void> {
    if (map.metadata.labels?.['copy'] !== 'yes') return;
    hold.entered();
    await hold.release;
    const copy: Secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: map.metadata.name }, stringData: {} };
    await context.apply(copy);
  }

  @Watches(() => Website)
  onWebsite(website: KubernetesObject): ObjectKey[] {
    return [ObjectKey.of(website)];
  }
}

const definition = definitionOf(Website, {
  spec: { type: 'object', properties: { text: { type: 'string' } } },
  status: { type: 'object', properties: { seen: { type: 'string' } } },
});

class Lines extends SilentLogger {
  readonly lines: string[] = [];
  #waiting: { text: string; resolve: () => void }[] = [];

  override info(message = ''): void {
    this.#add(message);
  }

  override warn(message = '', _keys?: LogKeys): void {
    this.#add(message);
  }

  /** Resolves when a line contains the string. */
  has(text: string): Promise<void> {
    if (this.lines.some((line) => line.includes(text))) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ text, resolve }));
  }

  #add(line: string): void {
    this.lines.push(line);
    for (const { text, resolve } of this.#waiting) if (line.includes(text)) resolve();
  }
}

describeWithRealServer('a manager on a real server', () => {
  let server: RealServer;
  let transport: Transport;
  let client: Client;
  const managers: Manager[] = [];

  async function start(controllers: readonly ConcreteClass[], namespaces?: string[]) {
    const runs: ReconcileRun[] = [];
    const logger = new Lines();
    const manager = await createManager({
      transport,
      controllers,
      logger,
      observer: (run) => runs.push(run),
      ...(namespaces === undefined ? {} : { namespaces }),
    });
    managers.push(manager);
    await manager.start();
    return { manager, runs, logger };
  }

  async function until<T extends KubernetesObject>(kind: new () => T, name: string, holds: (object: T) => boolean) {
    const signal = AbortSignal.timeout(90_000);
    for await (const event of client.watch(kind, { namespace: 'default', signal })) {
      const { object } = event;
      if (event.type !== 'BOOKMARK' && object.metadata.name === name && holds(object as T)) return object as T;
    }
    throw new Error('the watch ended');
  }

  beforeAll(async () => {
    server = await startRealServer();
    transport = httpsTransport(await loadConnection({ kubeconfig: server.kubeconfig }));
    client = createClient(transport, { fieldManager: 'test' });
  });

  afterEach(async () => {
    hold.entered = () => {};
    for (const manager of managers.splice(0)) await manager.stop();
  });

  afterAll(async () => {
    await transport?.close();
    await server?.stop();
  });

  it('waits for a missing CRD, logs it, and works once it exists; other controllers never wait', async () => {
    @Controller(Secret, { name: 'independent', wholeCluster: true })
    class Independent {
      @Reconcile() reconcile(): void {}
    }
    const { manager, logger } = await start([WebsiteController, Independent]);
    await logger.has(
      'cannot watch websites.runtime.example.com/v1 for @Controller(Website): the API server does not serve it',
    );
    await logger.has('controller started');
    expect(manager.health.ready).toBe(false);
    expect(manager.health.problems).toEqual([
      'controller website cannot watch websites.runtime.example.com/v1 for @Controller(Website): the API server does not serve it; apply its CRD ("kubectl apply -f config/crd/runtime.example.com_websites.yaml"); the controller then continues',
    ]);
    expect(manager.health.controllers.map(({ name, synced }) => [name, synced])).toEqual([
      ['website', false],
      ['independent', true],
    ]);
    await client.create(CustomResourceDefinition, definition);
    await manager.waitUntilReady(AbortSignal.timeout(90_000));
    await logger.has('watching again');
    expect(logger.lines.filter((line) => line.includes('does not serve it'))).toHaveLength(1);
    expect(logger.lines).not.toContain('cannot watch');
    await client.create(Website, { metadata: { name: 'late', namespace: 'default' }, spec: { text: 'hello' } });
    await until(Website, 'late', ({ status }) => status?.seen === 'hello');
    expect(manager.health).toMatchObject({ ready: true, problems: [], lateWrites: 0 });
  });

  it('runs independently of another manager in the same process', async () => {
    @Controller(Website)
    class Other {
      @Reconcile() reconcile(): void {}
    }
    const one = await start([WebsiteController]);
    const two = await start([Other]);
    await Promise.all([one.manager.waitUntilReady(), two.manager.waitUntilReady()]);
    await client.create(Website, { metadata: { name: 'both', namespace: 'default' }, spec: { text: 'x' } });
    await until(Website, 'both', ({ status }) => status?.seen === 'x');
    expect(await one.manager.stop()).toEqual({ drained: true });
    expect(two.manager.health.ready).toBe(true);
    expect(two.runs.every(({ writes }) => writes.length === 0)).toBe(true);
  });

  it('reports the writes of a run, and is not triggered by them', async () => {
    const { manager, runs } = await start([WebsiteController]);
    await manager.waitUntilReady();
    await client.create(Website, { metadata: { name: 'told', namespace: 'default' }, spec: { text: 'one' } });
    await until(Website, 'told', ({ status }) => status?.seen === 'one');
    await client.patch(Website, 'default/told', { merge: { spec: { text: 'two' } } });
    await until(Website, 'told', ({ status }) => status?.seen === 'two');
    await manager.stop();
    const told = runs.filter(({ key }) => key.name === 'told');
    expect(
      told.map(({ triggers, writes }) => ({
        triggers: triggers.map(String),
        writes: writes.map(({ verb, resource, effect, changed }) =>
          [verb, resource.kind, effect, ...changed].join(' '),
        ),
      })),
    ).toEqual([
      {
        triggers: ['Website default/told added'],
        writes: ['apply ConfigMap created', 'patch Website changed status'],
      },
      {
        triggers: ['Website default/told updated (spec.text)'],
        writes: ['apply ConfigMap changed data.text', 'patch Website changed status.seen'],
      },
    ]);
  });

  it("reads the server's response to a write of the same run, and repairs its other changes with apply", async () => {
    const read: unknown[] = [];
    @Controller(Secret, { name: 'reader', wholeCluster: true })
    @Owns(ConfigMap)
    class ReaderController {
      constructor(
        private readonly written: Client,
        @ListerOf(ConfigMap) private readonly maps: Lister<ConfigMap>,
      ) {}
      @Reconcile()
      async reconcile({ metadata: { name } }: Secret, context: ReconcileContext): Promise<void> {
        if (name !== 'writes') return;
        const key = context.key;
        const page = (text: string): ConfigMap => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name },
          data: { text },
        });
        const data = (): unknown => this.maps.get(key)?.data;
        read.push(data());
        const created = await context.apply(page('one'));
        read.push(data(), this.maps.get(key) instanceof ConfigMap, Object.isFrozen(created));
        await this.written.patch(ConfigMap, key, { merge: { data: { text: 'by hand' } } });
        read.push(data());
        await context.apply(page('one'));
        read.push(data());
        await this.written.delete(ConfigMap, key);
        read.push(data());
        await context.apply(page('two'));
        read.push(data());
      }
    }
    const { manager, runs } = await start([ReaderController], ['default']);
    await manager.waitUntilReady();
    await client.create(Secret, { metadata: { name: 'writes', namespace: 'default' } });
    await until(ConfigMap, 'writes', ({ data }) => data?.['text'] === 'two');
    await manager.stop();
    const one = { text: 'one' };
    expect(read.slice(0, 8)).toEqual([
      undefined,
      one,
      true,
      false,
      { text: 'by hand' },
      one,
      undefined,
      { text: 'two' },
    ]);
    const [run] = runs.filter(({ key }) => key.name === 'writes');
    expect(run?.writes.map(({ verb }) => verb)).toEqual(['apply', 'patch', 'apply', 'delete', 'apply']);
    expect(manager.health.lateWrites).toBe(0);
  });

  it('finishes the current run and its writes before it stops', async () => {
    const entered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    Object.assign(hold, { entered: entered.resolve, release: released.promise });
    const { manager } = await start([CopyController], ['default']);
    await manager.waitUntilReady();
    await client.create(ConfigMap, { metadata: { name: 'slow', namespace: 'default', labels: { copy: 'yes' } } });
    await entered.promise;
    const stopping = manager.stop();
    released.resolve();
    expect(await stopping).toEqual({ drained: true });
    expect(await ignoreNotFound(client.get(Secret, 'default/slow'))).toBeDefined();
  });

  it('starts only once', async () => {
    const { manager } = await start([WebsiteController]);
    await expect(manager.start()).rejects.toThrow('the manager was already started');
  });
});
