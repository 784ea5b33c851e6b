import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment, type PodRunner } from '@evenkeel/testing';
import { createManager, findCondition, Pod, provider } from 'evenkeel';
import { describeWithRealServer, realServerAssets } from '../../../test/real-server.fixture.ts';
import { Etcd } from './etcd.ts';
import { EtcdClient } from './etcd-client.fixture.ts';
import { EtcdClusterController } from './etcd-cluster.controller.ts';
import { EtcdCluster } from './etcd-cluster.ts';
import { RealEtcd } from './real-etcd.fixture.ts';

describeWithRealServer('the etcd operator with real etcd processes', () => {
  let environment: Environment;
  let pods: PodRunner;
  let namespace: string;
  const etcd = new RealEtcd();

  beforeAll(async () => {
    const sources = await readSources(`${import.meta.dirname}/etcd-cluster.ts`);
    const definition = await customResourceDefinitionOf(EtcdCluster, sources);
    environment = await Environment.create({ kind: 'embedded', definitions: [definition] });
    pods = await etcd.runPods(environment, await realServerAssets());
    namespace = await environment.createNamespace();
    const manager = await environment.run(async (connection) => {
      const created = await createManager({
        ...connection,
        ...{ controllers: [EtcdClusterController], namespaces: [namespace] },
        services: [provider({ provide: Etcd, useValue: etcd })],
      });
      await created.start();
      return created;
    });
    await manager.waitUntilReady();
  });
  afterAll(() => environment?.close());

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
  const client = new EtcdClient(async () => [await pods.addressOf(`${namespace}/db-client`)]);
  const written: Record<string, string> = {};
  const write = async (name: string): Promise<void> => {
    await environment.eventually(() => client.put(name, `value of ${name}`), { timeout: '30s' });
    written[name] = `value of ${name}`;
  };
  const expectAll = async (): Promise<void> => {
    expect(await environment.eventually(() => client.all(), { timeout: '30s' })).toEqual(written);
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
});
