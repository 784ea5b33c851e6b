import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment, type PodRunner } from '@evenkeel/testing';
import { createManager, findCondition, Pod } from 'evenkeel';
import { describeWithRealServer, hasRealServer, realServerAssets } from '../../../test/real-server.fixture.ts';
import { EtcdBackup, EtcdRestore } from './etcd-backup.ts';
import { EtcdClient } from './etcd-client.fixture.ts';
import { EtcdCluster } from './etcd-cluster.ts';
import { etcdDefinitions, etcdServices } from './etcd-operator.fixture.ts';
import { etcdutlIn } from './etcdutl.fixture.ts';
import { operator } from './operator.ts';
import { RealEtcd } from './real-etcd.fixture.ts';
import { SnapshotAddress, SnapshotServer } from './snapshot-server.ts';

const etcdutl = hasRealServer() ? await etcdutlIn(await realServerAssets()) : undefined;
if (etcdutl === undefined) process.stdout.write('skipped: restores: no etcdutl beside etcd, and no Go to build it\n');

describeWithRealServer('the etcd operator with real etcd processes', () => {
  let environment: Environment;
  let pods: PodRunner;
  let namespace: string;
  let folder: string;
  const etcd = new RealEtcd();

  beforeAll(async () => {
    const definitions = await etcdDefinitions();
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-snapshots-'));
    environment = await Environment.create({ kind: 'embedded', definitions });
    pods = await etcd.runPods(environment, await realServerAssets(), etcdutl);
    namespace = await environment.createNamespace();
    const manager = await environment.run(async (connection) => {
      const created = await createManager({
        ...connection,
        ...{ controllers: operator.controllers, runnables: [SnapshotServer], namespaces: [namespace] },
        services: etcdServices(etcd, folder, new SnapshotAddress('http://127.0.0.1:18091', '127.0.0.1')),
      });
      await created.start();
      return created;
    });
    await manager.waitUntilReady();
  });
  afterAll(async () => {
    await environment?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const key = () => `${namespace}/db`;
  const change = (spec: object) => environment.client.patch(EtcdCluster, key(), { merge: { spec } as never });
  const settled = (...members: string[]): Promise<void> =>
    environment.eventually(
      async () => {
        const { spec, status } = await environment.client.get(EtcdCluster, key());
        expect(status).toMatchObject({
          members: { ready: members, unready: [] },
          size: members.length,
          version: spec.version,
        });
        for (const type of ['Recovering', 'Scaling', 'Upgrading'])
          expect(findCondition(status?.conditions, type)?.status).toBe('False');
      },
      { timeout: '120s' },
    );
  const client = new EtcdClient(() => pods.addressOf(`${namespace}/db-client`));
  const written: Record<string, string> = {};
  const write = async (name: string): Promise<void> => {
    await environment.eventually(() => client.put(name, `value of ${name}`), { timeout: '30s' });
    written[name] = `value of ${name}`;
  };
  const expectAll = async (): Promise<void> => {
    expect(await environment.eventually(() => client.values(), { timeout: '30s' })).toEqual(written);
  };

  it('keeps all data while it scales, upgrades, and replaces a lost member', async () => {
    await environment.client.create(EtcdCluster, {
      metadata: { name: 'db', namespace },
      spec: { size: 1, version: '3.6.16' },
    } as never);
    await settled('db-0');
    await write('first');

    await change({ size: 3 });
    await settled('db-0', 'db-1', 'db-2');
    await write('scaled');
    await expectAll();

    await change({ version: '3.6.17' });
    await settled('db-0', 'db-1', 'db-2');
    await write('upgraded');
    await expectAll();
    const { items } = await environment.client.list(Pod, { namespace });
    expect(items.map(({ status }) => status?.containerStatuses?.[0]?.restartCount)).toEqual([1, 1, 1]);

    pods.kill(`${namespace}/db-1`);
    await write('crashed');
    await settled('db-0', 'db-1', 'db-2');

    await environment.client.delete(Pod, `${namespace}/db-0`, { gracePeriodSeconds: 0 });
    await write('lost');
    await settled('db-1', 'db-2', 'db-3');
    await expectAll();

    await change({ size: 1 });
    await environment.eventually(
      async () => {
        const { status } = await environment.client.get(EtcdCluster, key());
        expect(status).toMatchObject({ size: 1, members: { unready: [] } });
      },
      { timeout: '60s' },
    );
    await write('alone');
    await expectAll();
  });

  (etcdutl === undefined ? it.skip : it)('restores exactly the data of a backup', async () => {
    const { client: kubernetes } = environment;
    const isTrue = async (kind: typeof EtcdBackup | typeof EtcdRestore, name: string, type: string): Promise<void> => {
      await environment.eventually(
        async () => {
          const { status } = await kubernetes.get(kind as typeof EtcdBackup, `${namespace}/${name}`);
          expect(findCondition(status?.conditions, type)?.status).toBe('True');
        },
        { timeout: '120s' },
      );
    };
    const spec = { cluster: 'db' };
    await kubernetes.create(EtcdBackup, { metadata: { name: 'nightly', namespace }, spec } as never);
    await isTrue(EtcdBackup, 'nightly', 'Ready');
    const backedUp = await client.values();
    await client.put('first', 'overwritten');
    await client.put('late', 'not in the backup');
    await change({ size: 3 });
    await environment.eventually(
      async () => expect((await kubernetes.get(EtcdCluster, key())).status?.members?.ready).toHaveLength(3),
      { timeout: '120s' },
    );
    await kubernetes.create(EtcdRestore, {
      metadata: { name: 'morning', namespace },
      spec: { ...spec, backup: 'nightly' },
    } as never);
    await isTrue(EtcdRestore, 'morning', 'Complete');
    await settled('db-0', 'db-1', 'db-2');
    expect(await client.values()).toEqual(backedUp);

    // The other members have it too.
    await kubernetes.delete(Pod, `${namespace}/db-0`, { gracePeriodSeconds: 0 });
    await settled('db-1', 'db-2', 'db-3');
    expect(await client.values()).toEqual(backedUp);
  });
});
