import { crashSweep, Environment, faultSweep, HurriedClock, type SweepOptions } from '@evenkeel/testing';
import { createManager, findCondition, Pod, PodDisruptionBudget, Service } from 'evenkeel';
import type { Etcd } from './etcd.ts';
import { EtcdClusterController } from './etcd-cluster.controller.ts';
import { EtcdCluster } from './etcd-cluster.ts';
import { etcdDefinitions, etcdServices } from './etcd-operator.fixture.ts';
import { SimulatedEtcd } from './simulated-etcd.ts';

let environment: Environment;
beforeAll(async () => {
  const definitions = await etcdDefinitions();
  environment = await Environment.create({ kind: 'embedded', definitions, clock: new HurriedClock() });
});
afterAll(() => environment?.close());

/** Reaches etcd until the operator is killed. */
function untilKilled(etcd: Etcd, killed: AbortSignal): Etcd {
  return new Proxy(etcd, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) => {
        killed.throwIfAborted();
        return member.apply(target, parameters);
      };
    },
  });
}

describe('the sweeps of the etcd operator', () => {
  const clusters = new Map<string, SimulatedEtcd>();
  const story: SweepOptions = {
    get environment() {
      return environment;
    },
    kinds: [EtcdCluster, Pod, Service, PodDisruptionBudget],
    // The namespace and the uid of the EtcdCluster, which are others in each round.
    mask: (object) => {
      const [container] = object instanceof Pod ? (object.spec?.containers ?? []) : [];
      if (container === undefined) return;
      container.args = container.args?.map((one) => one.replace(/(?<=-peers\.)[a-z0-9-]+|(?<=-token=).*/g, '')) ?? [];
    },
    operator: async ({ killed, ...connection }) => {
      const [round = ''] = connection.namespaces;
      const shared = clusters.get(round) ?? new SimulatedEtcd(environment.client);
      clusters.set(round, shared);
      const services = etcdServices(untilKilled(shared, killed));
      const manager = await createManager({ ...connection, controllers: [EtcdClusterController], services });
      await manager.start();
      return manager;
    },
    scenario: async (round) => {
      const until = async (ready: string[], version: string): Promise<void> => {
        await round.eventually(async () => {
          const { status, spec } = await round.client.get(EtcdCluster, `${round.namespace}/db`);
          expect(status).toMatchObject({ members: { ready, unready: [] }, size: ready.length, version });
          expect(spec.version).toBe(version);
          for (const type of ['Recovering', 'Scaling', 'Upgrading'])
            expect(findCondition(status?.conditions, type)?.status).toBe('False');
          const { items } = await round.client.list(Pod, { namespace: round.namespace });
          expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(ready);
        });
      };
      const merge = (spec: object) =>
        round.client.patch(EtcdCluster, `${round.namespace}/db`, { merge: { spec } as never });
      await round.client.create(EtcdCluster, {
        metadata: { name: 'db', namespace: round.namespace },
        spec: { size: 2, version: '3.6.1' },
      } as never);
      await until(['db-0', 'db-1'], '3.6.1');
      await merge({ version: '3.6.2' });
      await until(['db-0', 'db-1'], '3.6.2');
      await merge({ size: 1 });
      await until([expect.stringMatching('db-')] as never, '3.6.2');
    },
  };

  it('ends in the same state wherever it is killed', async () => {
    const { writes, idleWrites } = await crashSweep(story);
    expect(writes.length).toBeGreaterThan(10);
    expect(idleWrites).toEqual([]);
  });

  it('ends in the same state whichever call fails', async () => {
    await faultSweep({ ...story, faults: ['conflict', 'answer-lost'] });
  });
});
