import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment, HurriedClock, RbacAudit } from '@evenkeel/testing';
import { type Condition, createManager, findCondition, type KubernetesObject, Pod, Secret } from 'evenkeel';
import { EtcdBackupController } from './etcd-backup.controller.ts';
import { EtcdBackup, EtcdRestore } from './etcd-backup.ts';
import { EtcdClusterController } from './etcd-cluster.controller.ts';
import { EtcdCluster } from './etcd-cluster.ts';
import { etcdDefinitions, etcdServices } from './etcd-operator.fixture.ts';
import { EtcdRestoreController } from './etcd-restore.controller.ts';
import { SimulatedEtcd } from './simulated-etcd.ts';
import { SnapshotAddress, SnapshotServer } from './snapshot-server.ts';
import { SnapshotDirectory } from './snapshot-store.ts';

const controllers = [EtcdClusterController, EtcdBackupController, EtcdRestoreController];
const address = new SnapshotAddress('http://127.0.0.1:18090', '127.0.0.1');

/** Its snapshots can be damaged on the way. */
class DamagingEtcd extends SimulatedEtcd {
  damage = 0;

  override async *snapshot(url: string): AsyncIterable<Uint8Array> {
    for await (const chunk of super.snapshot(url)) yield this.damage-- > 0 ? chunk.map((byte) => byte ^ 1) : chunk;
  }
}

let environment: Environment;
let audit: RbacAudit;
let namespace: string;
let folder: string;
let etcd: DamagingEtcd;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-snapshots-'));
  const definitions = await etcdDefinitions();
  environment = await Environment.create({ kind: 'embedded', definitions, clock: new HurriedClock() });
  namespace = await environment.createNamespace();
  etcd = new DamagingEtcd(environment.client);
  const manager = await environment.run(async ({ transport, clock }) => {
    audit = await RbacAudit.create({ transport, controllers });
    const created = await createManager({
      ...{ transport: audit.transport, clock, controllers, namespaces: [namespace], runnables: [SnapshotServer] },
      services: etcdServices(etcd, folder, address),
    });
    await created.start();
    return created;
  });
  await manager.waitUntilReady();
  await create(EtcdCluster, 'db', { size: 2 });
  await available('db');
});
afterAll(async () => {
  await environment?.close();
  await rm(folder, { recursive: true, force: true });
});

const create = <T extends KubernetesObject>(kind: new () => T, name: string, spec: object): Promise<unknown> =>
  environment.client.create(kind, { metadata: { name, namespace }, spec } as never);
const eventually = <T>(assertion: () => Promise<T>): Promise<T> =>
  environment.eventually(assertion, { timeout: '20s' });
const condition = async (
  kind: typeof EtcdBackup | typeof EtcdRestore,
  name: string,
): Promise<Condition | undefined> => {
  const { status } = await environment.client.get(kind as typeof EtcdBackup, `${namespace}/${name}`);
  return findCondition(status?.conditions, kind === EtcdBackup ? 'Ready' : 'Complete');
};
const available = (name: string): Promise<void> =>
  eventually(async () => {
    const { status, spec } = await environment.client.get(EtcdCluster, `${namespace}/${name}`);
    expect(status?.members?.ready).toHaveLength(spec.size);
    expect(findCondition(status?.conditions, 'Scaling')?.status).toBe('False');
  });
const snapshotsOf = (backup: string): Promise<string[]> => readdir(join(folder, namespace, backup));

describe('backups of the etcd operator', () => {
  it('stores one snapshot, with its revision and version in the name', async () => {
    await create(EtcdBackup, 'once', { cluster: 'db' });
    await eventually(async () => expect(await condition(EtcdBackup, 'once')).toMatchObject({ status: 'True' }));
    const [name = '', ...others] = await snapshotsOf('once');
    expect(others).toEqual([]);
    expect(name).toMatch(/^2\d{3}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z_r1_v3\.6\.16\.db$/);
    const { status } = await environment.client.get(EtcdBackup, `${namespace}/once`);
    expect(status?.snapshots).toEqual([{ name, takenAt: name.slice(0, 24).replace(/T(..)-(..)-/, 'T$1:$2:') }]);
    expect(await readFile(join(folder, namespace, 'once', name), 'utf8')).toMatch(/^snapshot of db-\d\.db-peers/);
  });

  it('takes snapshots by interval, and keeps the latest ones', async () => {
    await create(EtcdBackup, 'often', { cluster: 'db', interval: '1s', maxBackups: 2 });
    const first = await eventually(async () => (await snapshotsOf('often')).at(0));
    await eventually(async () => {
      const names = await snapshotsOf('often');
      expect(names).toHaveLength(2);
      expect(names).not.toContain(first);
    });
    await environment.client.delete(EtcdBackup, `${namespace}/often`);
    expect((await snapshotsOf('often')).length).toBeGreaterThan(0);
  });

  it('stores no snapshot that is damaged, and takes another one', async () => {
    etcd.damage = 1;
    await create(EtcdBackup, 'damaged', { cluster: 'db' });
    await eventually(async () => expect(await condition(EtcdBackup, 'damaged')).toMatchObject({ status: 'True' }));
    expect(await snapshotsOf('damaged')).toHaveLength(1);
  });

  it('reports a backup of a cluster that does not exist', async () => {
    await create(EtcdBackup, 'orphan', { cluster: 'missing' });
    await eventually(async () =>
      expect(await condition(EtcdBackup, 'orphan')).toMatchObject({
        ...{ status: 'False', reason: 'Failed', message: 'the EtcdCluster has no ready member' },
      }),
    );
    await environment.client.delete(EtcdBackup, `${namespace}/orphan`);
  });
});

describe('restores of the etcd operator', () => {
  it('replaces all pods by one that starts with the snapshot, and then adds members to it', async () => {
    const before = (await environment.client.list(Pod, { namespace })).items.map(({ metadata }) => metadata.uid);
    await create(EtcdRestore, 'back.up', { cluster: 'db', backup: 'once' });
    await eventually(async () => expect(await condition(EtcdRestore, 'back.up')).toMatchObject({ status: 'True' }));
    await available('db');
    const pods = (await environment.client.list(Pod, { namespace })).items;
    expect(pods.filter(({ metadata }) => before.includes(metadata.uid))).toEqual([]);
    const [seed, second] = pods;
    expect(seed?.spec?.initContainers?.map(({ name, command }) => [name, command])).toEqual([
      ['download', ['curl']],
      ['restore', ['etcdutl']],
    ]);
    expect(seed?.spec?.initContainers?.[0]?.args?.at(-1)).toBe(address.of({ namespace, name: 'back.up' } as never));
    expect(second?.spec?.initContainers).toBeUndefined();
  });

  it('serves the snapshot only to those that have its token', async () => {
    const secret = await environment.client.get(Secret, `${namespace}/back.up-snapshot`);
    const token = Buffer.from(secret.data?.['token'] ?? '', 'base64').toString();
    const get = async (path: string, bearer: string): Promise<Response> =>
      fetch(`${address.url}/${path}`, { headers: { authorization: `Bearer ${bearer}` } });
    const [name = ''] = await snapshotsOf('once');
    const content = await readFile(join(folder, namespace, 'once', name));
    expect(Buffer.from(await (await get(`${namespace}/back.up`, token)).arrayBuffer())).toEqual(content);
    for (const [path, bearer] of [
      [`${namespace}/back.up`, ''],
      [`${namespace}/back.up`, `${token.slice(0, -1)}!`],
      [`${namespace}/other`, token],
      [`../${name}`, token],
    ] as const)
      expect((await get(path, bearer)).status).toBe(403);
  });

  it('waits for a snapshot that does not exist, and changes no pod', async () => {
    await create(EtcdRestore, 'nothing', { cluster: 'db', backup: 'never' });
    await eventually(async () =>
      expect(await condition(EtcdRestore, 'nothing')).toMatchObject({ status: 'False', reason: 'SnapshotNotFound' }),
    );
    await available('db');
    await environment.client.delete(EtcdRestore, `${namespace}/nothing`);
  });

  it('lists no file that is not complete', async () => {
    const store = new SnapshotDirectory(folder);
    await writeFile(join(folder, namespace, 'once', 'x.db.partial'), '');
    expect(await store.list(`${namespace}/once`)).toHaveLength(1);
    expect(await store.list('no/folder')).toEqual([]);
  });

  // This test is last: the tests above must need exactly the permissions of the roles.
  it('needs only the roles of its declarations', () => {
    expect(audit.refused).toEqual([]);
    expect(audit.unused.filter((unused) => /secrets|patch etcdclusters|get etcdrestores/.test(unused))).toEqual([]);
  });
});
