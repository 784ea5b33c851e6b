import { Client, createClient } from '@evenkeel/client';
import { Controller, ignoreNotFound, type KubernetesObject, Reconcile, SilentLogger } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { Lease } from '@evenkeel/kinds/coordination/v1';
import { Event } from '@evenkeel/kinds/events/v1';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';
import { createManager, type Manager } from '../manager/manager.ts';
import type { ManagerRunnable } from '../runnable/manager-runnable.ts';

const name = 'elected';

/** The times of a Lease. They are long enough for a busy machine that delays the process. */
const short = { leaseDuration: '5s', renewDeadline: '4s' } as const;
const long = { leaseDuration: '40s', renewDeadline: '30s' } as const;

class Labeller {
  static entered = (_name: string): Promise<void> => Promise.resolve();

  enter(mapName: string): Promise<void> {
    return Labeller.entered(mapName);
  }
}

describeOnEveryServer('managers of one election', (startServer) => {
  let backend: ApiBackend;
  let client: Client;
  const managers: Manager[] = [];

  async function start(runnables: readonly ManagerRunnable[] = [], lease: typeof short | typeof long = short) {
    @Controller(ConfigMap, { name: 'labeller' })
    class LabelController {
      constructor(
        private readonly client: Client,
        private readonly labeller: Labeller,
      ) {}
      @Reconcile()
      async reconcile({ metadata }: ConfigMap): Promise<void> {
        if (metadata.labels?.['wanted'] !== 'yes') return;
        await this.labeller.enter(metadata.name);
        await this.client.patch(ConfigMap, `${metadata.namespace}/${metadata.name}`, {
          merge: { data: { done: 'yes' } },
        });
      }
    }
    const manager = await createManager({
      // Over a connection the election has a transport of its own.
      ...(backend.connection === undefined ? { transport: backend.transport() } : { connection: backend.connection }),
      namespaces: ['default'],
      controllers: [LabelController],
      services: [Labeller],
      runnables,
      logger: new SilentLogger(),
      leaderElection: { name, namespace: 'default', ...lease, retryPeriod: '250ms' },
    });
    managers.push(manager);
    await manager.start();
    return manager;
  }

  async function until<T extends KubernetesObject>(kind: new () => T, holds: (object: T) => boolean): Promise<T> {
    const signal = AbortSignal.timeout(90_000);
    for await (const event of client.watch(kind, { namespace: 'default', signal })) {
      if (event.type !== 'BOOKMARK' && holds(event.object as T)) return event.object as T;
    }
    throw new Error('the watch ended');
  }

  const wanted = (mapName: string) =>
    client.create(ConfigMap, { metadata: { name: mapName, namespace: 'default', labels: { wanted: 'yes' } } });
  const done = (mapName: string) =>
    until(ConfigMap, ({ metadata, data }) => metadata.name === mapName && data?.['done'] === 'yes');

  beforeAll(async () => {
    backend = await startServer();
    client = createClient(backend.transport(), { fieldManager: 'test' });
  });

  afterEach(async () => {
    for (const manager of managers.splice(0)) await manager.stop();
    await ignoreNotFound(client.delete(Lease, `default/${name}`));
  });

  afterAll(() => backend.stop());

  it('let only one work at a time, pass the Lease on at a stop, and publish Events about both', async () => {
    const one = await start([], long);
    await one.waitUntilReady(AbortSignal.timeout(90_000));
    const two = await start([], long);
    expect(one.health).toMatchObject({ ready: true, leadership: { role: 'leader' } });
    await wanted('first');
    await done('first');
    await until(Lease, ({ spec }) => spec?.holderIdentity === one.health.leadership?.holder);
    // The standby is ready, with a full cache, and writes nothing.
    while (!two.health.ready) await until(ConfigMap, () => true);
    expect(two.health).toMatchObject({ leadership: { role: 'candidate' } });
    expect(two.health.controllers).toMatchObject([{ synced: false, sources: [{ synced: true }] }]);
    await expect(two.client.delete(ConfigMap, 'default/first')).rejects.toMatchObject({ code: 'not-leading' });

    const before = performance.now();
    expect(await one.stop()).toEqual({ drained: true });
    await two.waitUntilReady(AbortSignal.timeout(90_000));
    // 2.2 retry periods plus the time of the machine. Without the release it would take 40 s.
    expect(performance.now() - before).toBeLessThan(30_000);
    await wanted('second');
    await done('second');
    const lease = await client.get(Lease, `default/${name}`);
    expect(lease.spec).toMatchObject({ leaseDurationSeconds: 40, leaseTransitions: 1 });
    await two.stop();
    const released = await client.get(Lease, `default/${name}`);
    expect(released.spec?.holderIdentity ?? '').toBe('');
    const { items } = await client.list(Event, { namespace: 'default' });
    const notes = items
      .filter(({ reason }) => reason === 'LeaderElection')
      .map(({ note }) => note?.replace(/^\S+/, '...'));
    expect(notes.toSorted()).toEqual([
      '... became leader',
      '... became leader',
      '... stopped leading',
      '... stopped leading',
    ]);
  });

  it('keep the Lease while an active reconcile finishes and writes, and then release it', async () => {
    const entered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    Labeller.entered = async (mapName) => {
      if (mapName !== 'slow') return;
      entered.resolve();
      await released.promise;
    };
    const one = await start();
    await one.waitUntilReady(AbortSignal.timeout(90_000));
    const { holder } = one.health.leadership ?? {};
    await wanted('slow');
    await entered.promise;
    Labeller.entered = () => Promise.resolve();
    const stopping = one.stop();
    const two = await start();
    // Longer than the Lease is valid without a renewal.
    const beganMs = Date.now();
    await until(Lease, ({ spec }) => Date.parse(spec?.renewTime ?? '') > beganMs + 5500);
    expect((await client.get(Lease, `default/${name}`)).spec?.holderIdentity).toBe(holder);
    released.resolve();
    expect(await stopping).toEqual({ drained: true });
    expect((await client.get(ConfigMap, 'default/slow')).data).toEqual({ done: 'yes' });
    await two.waitUntilReady(AbortSignal.timeout(90_000));
  });

  it('fail and write nothing more if another process takes the Lease by force', async () => {
    const manager = await start();
    await manager.waitUntilReady(AbortSignal.timeout(90_000));
    await client.patch(Lease, `default/${name}`, { merge: { spec: { holderIdentity: 'thief' } } });
    await expect(manager.failure).resolves.toMatchObject({ code: 'leadership-lost' });
    expect(manager.health).toMatchObject({ ready: false, leadership: { role: 'lost', holder: 'thief' } });
    await expect(manager.client.delete(ConfigMap, 'default/first')).rejects.toMatchObject({ code: 'not-leading' });
    await expect(manager.waitUntilReady()).rejects.toMatchObject({ code: 'leadership-lost' });
    expect(await manager.stop()).toEqual({ drained: false });
    // It did not release the Lease of another holder.
    expect((await client.get(Lease, `default/${name}`)).spec?.holderIdentity).toBe('thief');
  });

  it('run the work of every replica on a standby too, with a client that may write', async () => {
    const reported: string[] = [];
    const report = (): ManagerRunnable => ({
      name: 'reporter',
      onEveryReplica: true,
      start: async (_failed, own) => {
        const { metadata } = await own.create(ConfigMap, {
          metadata: { generateName: 'report-', namespace: 'default' },
        });
        reported.push(metadata.name);
      },
      stop: async () => {},
    });
    const one = await start([report()]);
    await one.waitUntilReady(AbortSignal.timeout(90_000));
    await start([report()]);
    expect(reported).toHaveLength(2);
  });
});
