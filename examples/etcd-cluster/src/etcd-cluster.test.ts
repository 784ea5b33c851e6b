import { Environment, HurriedClock, RbacAudit } from '@evenkeel/testing';
import {
  type Condition,
  createManager,
  Event,
  findCondition,
  type MergePatch,
  Pod,
  PodDisruptionBudget,
  type ReconcileRun,
  Service,
} from 'evenkeel';
import type { ListedMember, MemberReport } from './etcd.ts';
import { EtcdClusterController } from './etcd-cluster.controller.ts';
import { EtcdCluster, type EtcdClusterSpec } from './etcd-cluster.ts';
import { etcdDefinitions, etcdServices } from './etcd-operator.fixture.ts';
import { fields } from './fields.ts';
import { SimulatedEtcd } from './simulated-etcd.ts';

let environment: Environment;
let audit: RbacAudit;
let namespace: string;
let etcd: SimulatedEtcd;
const runs: ReconcileRun[] = [];

beforeAll(async () => {
  const definitions = await etcdDefinitions();
  environment = await Environment.create({ kind: 'embedded', definitions, clock: new HurriedClock() });
  namespace = await environment.createNamespace();
  etcd = new SimulatedEtcd(environment.client);
  const manager = await environment.run(async ({ transport, clock }) => {
    audit = await RbacAudit.create({ transport, controllers: [EtcdClusterController] });
    const created = await createManager({
      ...{ transport: audit.transport, clock, fields, controllers: [EtcdClusterController], namespaces: [namespace] },
      services: etcdServices(etcd),
      observer: (run) => runs.push(run),
    });
    await created.start();
    return created;
  });
  await manager.waitUntilReady();
});
afterAll(() => environment?.close());

const create = (name: string, spec: Partial<EtcdClusterSpec> = {}): Promise<EtcdCluster> =>
  environment.client.create(EtcdCluster, { metadata: { name, namespace }, spec } as never) as Promise<EtcdCluster>;
const change = (name: string, spec: MergePatch<EtcdClusterSpec>): Promise<EtcdCluster> =>
  environment.client.patch(EtcdCluster, `${namespace}/${name}`, { merge: { spec } as never }) as Promise<EtcdCluster>;
const get = (name: string): Promise<EtcdCluster> =>
  environment.client.get(EtcdCluster, `${namespace}/${name}`) as Promise<EtcdCluster>;
const eventually = <T>(assertion: () => Promise<T>): Promise<T> =>
  environment.eventually(assertion, { timeout: '20s' });
const conditionOf = ({ status }: EtcdCluster, type: string): Condition | undefined =>
  findCondition(status.conditions, type);
const podsOf = async (name: string): Promise<Pod[]> =>
  (await environment.client.list(Pod, { namespace, labels: { 'app.kubernetes.io/instance': name } })).items;
const membersOf = (name: string): Promise<ListedMember[]> =>
  etcd.members([`http://any.${name}-peers.${namespace}.svc:2379`]);
const reportOf = (name: string, member: string): Promise<MemberReport> =>
  etcd.report(`http://${member}.${name}-peers.${namespace}.svc:2379`);

/** Resolves when all wanted members vote and work, and nothing else is left. */
const settled = (name: string, ...members: string[]): Promise<EtcdCluster> =>
  eventually(async () => {
    const cluster = await get(name);
    expect(cluster.status.members).toEqual({ ready: members, unready: [] });
    expect(cluster.status).toMatchObject({ size: members.length, version: cluster.spec.version });
    for (const type of ['Recovering', 'Scaling', 'Upgrading']) expect(conditionOf(cluster, type)?.status).toBe('False');
    expect((await podsOf(name)).map(({ metadata }) => metadata.name).sort()).toEqual(members);
    return cluster;
  });

const eventsOf = async (name: string): Promise<string[]> =>
  (await environment.client.list(Event, { namespace })).items
    .filter(({ regarding }) => regarding?.name === name)
    .map(({ note = '' }) => note);

const lose = async (pod: string): Promise<void> => {
  await environment.client.delete(Pod, `${namespace}/${pod}`, { gracePeriodSeconds: 0 });
};

describe('the etcd operator', () => {
  it('starts one member, adds the others one after the other as learners, and shows the Service for clients', async () => {
    await create('new');
    const { status } = await settled('new', 'new-0', 'new-1', 'new-2');
    expect(status).toMatchObject({ serviceName: 'new-client', clusterId: '14841639068965178418' });
    const listed = await membersOf('new');
    expect(listed.map(({ isLearner }) => isLearner)).toEqual([false, false, false]);
    const [, second] = await podsOf('new');
    expect(second?.spec?.containers[0]?.args).toContain(
      ['new-0', 'new-1']
        .map((name) => `${name}=http://${name}.new-peers.${namespace}.svc:2380`)
        .reduce((a, b) => `--initial-cluster=${a},${b}`),
    );
    // etcd 3.6 responds to no request, not even for its health, until its cluster has a quorum.
    expect(second?.spec?.containers[0]).not.toHaveProperty('livenessProbe');
    const service = await environment.client.get(Service, `${namespace}/new-peers`);
    expect(service.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
    const notes = await eventually(async () => {
      const found = await eventsOf('new');
      expect(found.length).toBe(4);
      return found;
    });
    expect(notes.sort()).toEqual(['Added member new-1', 'Added member new-2', 'new-1 votes', 'new-2 votes']);
  });

  it('scales up and down, and adapts the PodDisruptionBudget', async () => {
    await create('scaled', { size: 1 });
    await settled('scaled', 'scaled-0');
    const budget = async (): Promise<unknown> =>
      (await environment.client.get(PodDisruptionBudget, `${namespace}/scaled`)).spec?.minAvailable;
    await change('scaled', { size: 5 });
    await settled('scaled', ...[0, 1, 2, 3, 4].map((number) => `scaled-${number}`));
    expect(await budget()).toBe(3);
    await change('scaled', { size: 2 });
    await settled('scaled', 'scaled-0', 'scaled-1');
    expect(await budget()).toBe(2);
    expect((await membersOf('scaled')).map(({ name }) => name)).toEqual(['scaled-0', 'scaled-1']);
  });

  it('upgrades one member at a time in its pod, the leader last', async () => {
    await create('upgraded', { version: '3.5.9' });
    await settled('upgraded', 'upgraded-0', 'upgraded-1', 'upgraded-2');
    const uids = (await podsOf('upgraded')).map(({ metadata }) => metadata.uid);
    await change('upgraded', { version: '3.6.1' });
    await settled('upgraded', 'upgraded-0', 'upgraded-1', 'upgraded-2');
    const pods = await podsOf('upgraded');
    expect(pods.map(({ metadata }) => metadata.uid)).toEqual(uids);
    expect(pods.map(({ spec }) => spec?.containers[0]?.image)).toEqual(
      Array.from({ length: 3 }, () => 'quay.io/coreos/etcd:v3.6.1'),
    );
    const notes = (await eventsOf('upgraded')).filter((note) => note.startsWith('Changing'));
    expect(notes).toHaveLength(3);
    expect((await reportOf('upgraded', 'upgraded-0')).leaderId).not.toBe('1');
  });

  it('refuses versions that skip a minor: the API server a change, and the operator what was stored before', async () => {
    await create('refused', { size: 1, version: '3.4.9' });
    await settled('refused', 'refused-0');
    await expect(change('refused', { version: '3.6.1' })).rejects.toThrow(
      'the minor version must change by one at a time',
    );
    await expect(change('refused', { version: '4.0.0' })).rejects.toThrow('the major version must not change');
    await change('refused', { paused: true });
    await change('refused', { version: '3.5.1' });
    await change('refused', { version: '3.6.1' });
    await change('refused', { paused: false, size: 2 });
    const cluster = await eventually(async () => {
      const found = await get('refused');
      expect(conditionOf(found, 'Upgrading')).toMatchObject({ status: 'False', reason: 'Refused' });
      expect(found.status.members?.ready).toEqual(['refused-0', 'refused-1']);
      return found;
    });
    expect(conditionOf(cluster, 'Upgrading')?.message).toBe(
      'upgrade to 3.5 first, because 3.6.1 skips minor versions after 3.4.0',
    );
    expect((await podsOf('refused')).map(({ spec }) => spec?.containers[0]?.image)).toEqual([
      'quay.io/coreos/etcd:v3.4.9',
      'quay.io/coreos/etcd:v3.4.9',
    ]);
    await change('refused', { version: '3.5.1' });
    await settled('refused', 'refused-0', 'refused-1');
  });

  it('replaces a lost member by a new one with another ID', async () => {
    await create('damaged');
    await settled('damaged', 'damaged-0', 'damaged-1', 'damaged-2');
    const before = await membersOf('damaged');
    await lose('damaged-0');
    await eventually(async () => expect((await get('damaged')).status.members?.ready).not.toContain('damaged-0'));
    await settled('damaged', 'damaged-1', 'damaged-2', 'damaged-3');
    const ids = before.map(({ id }) => id);
    expect((await membersOf('damaged')).filter(({ id }) => ids.includes(id)).map(({ name }) => name)).toEqual([
      'damaged-1',
      'damaged-2',
    ]);
    await eventually(async () =>
      expect(await eventsOf('damaged')).toContain('Removed member damaged-0, which is lost'),
    );
  });

  it('changes nothing without a quorum, and reports it', async () => {
    await create('minority');
    await settled('minority', 'minority-0', 'minority-1', 'minority-2');
    await lose('minority-1');
    await lose('minority-2');
    await eventually(async () => {
      const { status } = await get('minority');
      expect(findCondition(status.conditions, 'Available')).toMatchObject({ status: 'False', reason: 'QuorumLost' });
    });
    expect((await podsOf('minority')).map(({ metadata }) => metadata.name)).toEqual(['minority-0']);
  });

  it('never starts an empty cluster in place of one whose members are all lost', async () => {
    await create('vanished', { size: 1 });
    await settled('vanished', 'vanished-0');
    await lose('vanished-0');
    await eventually(async () => {
      const { status } = await get('vanished');
      expect(findCondition(status.conditions, 'Available')).toMatchObject({ status: 'False', reason: 'Lost' });
    });
    expect(await podsOf('vanished')).toEqual([]);
  });

  it('writes nothing when a cluster is as desired', async () => {
    await create('quiet', { size: 1 });
    await settled('quiet', 'quiet-0');
    const isOfQuiet = ({ key }: ReconcileRun): boolean => key.name === 'quiet';
    const seen = runs.filter(isOfQuiet).length;
    const later = await eventually(async () => {
      const found = runs.filter(isOfQuiet).slice(seen + 1);
      expect(found.length).toBeGreaterThan(2);
      return found;
    });
    expect(later.flatMap(({ writes }) => writes)).toEqual([]);
  });

  // This test is last: the tests above must need exactly the permissions of the roles.
  it('needs exactly the roles of its declarations', () => {
    expect(audit.refused).toEqual([]);
    // This server has watch lists, and Events need not be repeated.
    const isOptional = (unused: string): boolean => /^(list etcdclusters|patch events)/.test(unused);
    expect(audit.unused.filter((unused) => !isOptional(unused))).toEqual([]);
  });
});
