import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment } from '@evenkeel/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createManager,
  Deployment,
  findCondition,
  ignoreNotFound,
  Job,
  Lease,
  PersistentVolume,
  PersistentVolumeClaim,
  ResourceQuota,
} from 'evenkeel';
import { fields } from './fields.ts';
import { Backup, type Operation, Restart, Upgrade } from './operations.ts';
import { operator } from './operator.ts';

type Kind = typeof Restart | typeof Upgrade | typeof Backup;

describe('the operations operator', () => {
  let environment: Environment;
  let namespace: string;

  const key = (name: string): string => `${namespace}/${name}`;
  const eventually: Environment['eventually'] = (assertion) => environment.eventually(assertion, { timeout: '60s' });
  const getOperation = (kind: Kind, name: string): Promise<Pick<Operation, 'metadata'> & Partial<Operation>> =>
    environment.client.get(kind as typeof Restart, key(name));
  const create = (kind: Kind, name: string, spec: object): Promise<unknown> =>
    environment.client.create(kind, { metadata: { name, namespace }, spec } as never);
  const cancel = (kind: Kind, name: string): Promise<unknown> =>
    environment.client.patch(kind as typeof Restart, key(name), { merge: { spec: { cancel: true } } });
  /** Resolves to the message when the operation has reached a state. */
  const reached = (kind: Kind, name: string, reason: string): Promise<string | undefined> =>
    eventually(async () => {
      const { status } = await getOperation(kind, name);
      const condition = findCondition(status?.conditions, 'Succeeded');
      expect(condition).toMatchObject({ reason });
      return condition?.message;
    });
  const gone = (kind: Kind, name: string): Promise<void> =>
    eventually(async () => expect(await ignoreNotFound(getOperation(kind, name))).toBeUndefined());
  const deploymentOf = (name: string): Promise<Deployment> => environment.client.get(Deployment, key(name));
  const imageOf = ({ spec }: Deployment): string | undefined => spec?.template.spec?.containers[0]?.image;
  /** Creates a Deployment. A paused one never rolls out a change, so its operations run until they are cancelled. */
  const deploy = async (name: string, { paused = false, replicas = 2, ...spec } = {}): Promise<void> => {
    const labels = { app: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
    const all = { replicas, selector: { matchLabels: labels }, template, ...spec };
    await environment.client.create(Deployment, { metadata: { name, namespace }, spec: all });
    await eventually(async () => {
      const { status: { observedGeneration, availableReplicas = 0 } = {} } = await deploymentOf(name);
      expect([observedGeneration, availableReplicas]).toEqual([1, replicas]);
    });
    if (paused) await environment.client.patch(Deployment, key(name), { merge: { spec: { paused } } });
  };

  /** Creates the claim of the Backups with a volume, because a cluster may have no default StorageClass. */
  const createClaim = async (name: string): Promise<void> => {
    const shared = { accessModes: ['ReadWriteOnce' as const], storageClassName: '' };
    const capacity = { storage: '1Gi' };
    await environment.client.create(PersistentVolume, {
      metadata: { name: `${name}-${namespace}` },
      spec: { ...shared, capacity, claimRef: { name, namespace }, hostPath: { path: '/var/lib/backups' } },
    });
    const spec = { ...shared, resources: { requests: capacity } };
    await environment.client.create(PersistentVolumeClaim, { metadata: { name, namespace }, spec });
    await eventually(async () => {
      const { status } = await environment.client.get(PersistentVolumeClaim, key(name));
      expect(status?.phase).toBe('Bound');
    });
  };

  beforeAll(async () => {
    const sources = await readSources(`${import.meta.dirname}/operations.ts`);
    const kinds = [Restart, Upgrade, Backup];
    const definitions = await Promise.all(kinds.map((kind) => customResourceDefinitionOf(kind, sources)));
    environment = await Environment.create({ definitions });
    namespace = await environment.createNamespace();
    await environment.run(async (connection) => {
      const manager = await createManager({ ...operator, ...connection, fields, namespaces: [namespace] });
      await manager.start();
      return manager;
    });
  }, 60_000);
  afterAll(() => environment?.close(), 60_000);

  it('restarts the pods of a Deployment once', async () => {
    await deploy('restarted');
    await create(Restart, 'restart', { deployment: 'restarted' });
    expect(await reached(Restart, 'restart', 'Succeeded')).toBe('2 of 2 pods are new, 2 are available');
    const { metadata } = await deploymentOf('restarted');
    expect(metadata.generation).toBe(2);
    const { status } = await getOperation(Restart, 'restart');
    expect(status).toMatchObject({ startTime: expect.any(String), completionTime: expect.any(String) });
    await eventually(async () => {
      const leases = await environment.client.list(Lease, { namespace });
      expect(leases.items).toEqual([]);
    });
  });

  it('upgrades, backs up and restarts a Deployment one after the other', async () => {
    await createClaim('backups');
    await deploy('busy', { paused: true });
    await create(Upgrade, 'busy', { deployment: 'busy', image: 'nginx:2' });
    expect(await reached(Upgrade, 'busy', 'Running')).toBeDefined();
    await create(Restart, 'busy', { deployment: 'busy' });
    await create(Backup, 'busy', { deployment: 'busy', image: 'busybox:1', command: ['true'], claim: 'backups' });
    expect(await reached(Restart, 'busy', 'Waiting')).toBe('It waits until Upgrade busy has ended');
    expect(await reached(Backup, 'busy', 'Waiting')).toBe('It waits until Upgrade busy has ended');
    expect(await ignoreNotFound(environment.client.get(Job, key('busy')))).toBeUndefined();
    await environment.client.patch(Deployment, key('busy'), { merge: { spec: { paused: false } } });
    await reached(Upgrade, 'busy', 'Succeeded');
    await reached(Restart, 'busy', 'Succeeded');
    expect(await reached(Backup, 'busy', 'Succeeded')).toBe('Job busy has completed');
    const { metadata, spec } = await environment.client.get(Job, key('busy'));
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Backup', name: 'busy', controller: true }]);
    expect(spec?.template.spec?.containers[0]?.env).toContainEqual({ name: 'DEPLOYMENT', value: 'busy' });
    const deployment = await deploymentOf('busy');
    // Created, paused, upgraded, resumed and restarted.
    expect([deployment.metadata.generation, imageOf(deployment)]).toEqual([5, 'nginx:2']);
  });

  it('takes an Upgrade back that is cancelled, and starts no operation that is cancelled while it waits', async () => {
    await deploy('cancelled', { paused: true });
    await create(Upgrade, 'cancelled', { deployment: 'cancelled', image: 'nginx:2' });
    await eventually(async () => expect(imageOf(await deploymentOf('cancelled'))).toBe('nginx:2'));
    await create(Restart, 'cancelled', { deployment: 'cancelled' });
    await reached(Restart, 'cancelled', 'Waiting');
    await cancel(Restart, 'cancelled');
    expect(await reached(Restart, 'cancelled', 'Cancelled')).toBe('It was cancelled before it started');
    await cancel(Upgrade, 'cancelled');
    const cancelled = 'It was cancelled. Before: 0 of 2 pods are new, 2 are available';
    expect(await reached(Upgrade, 'cancelled', 'Cancelled')).toBe(cancelled);
    const { spec } = await deploymentOf('cancelled');
    expect(spec?.template).toMatchObject({ spec: { containers: [{ image: 'nginx:1' }] } });
    expect(spec?.template.metadata?.annotations).toBeUndefined();
    await expect(
      environment.client.patch(Upgrade, key('cancelled'), { merge: { spec: { cancel: false } } }),
    ).rejects.toThrow('cancel must stay true; create another operation');
  });

  it('stops the Job of a Backup that takes too long', async () => {
    await deploy('late');
    // The pods of the Job cannot be created.
    const quota = { metadata: { name: 'none', namespace }, spec: { hard: { 'count/pods': '0' } } };
    await environment.client.create(ResourceQuota, quota);
    await eventually(async () => {
      const { status } = await environment.client.get(ResourceQuota, key('none'));
      expect(status?.hard).toEqual({ 'count/pods': '0' });
    });
    const spec = { deployment: 'late', image: 'busybox:1', command: ['true'], claim: 'backups', timeout: '2s' };
    await create(Backup, 'late', spec);
    const message = 'It took longer than 2s. Before: Job late runs, 0 of its pods have failed';
    expect(await reached(Backup, 'late', 'TimedOut')).toBe(message);
    await environment.client.delete(ResourceQuota, key('none'));
    expect((await environment.client.get(Job, key('late'))).spec?.suspend).toBe(true);
  });

  it('takes an Upgrade back whose pods do not become ready, but not what somebody else has set since', async () => {
    await deploy('broken', { replicas: 0, progressDeadlineSeconds: 2 } as object);
    const strategic = { spec: { replicas: 1, template: { spec: { schedulerName: 'nobody' } } } };
    await environment.client.patch(Deployment, key('broken'), { strategic });
    await create(Upgrade, 'broken', { deployment: 'broken', image: 'nginx:2' });
    expect(await reached(Upgrade, 'broken', 'Failed')).toMatch(/^ReplicaSet "broken-\w+" has timed out progressing/);
    expect(imageOf(await deploymentOf('broken'))).toBe('nginx:1');
    await create(Upgrade, 'other', { deployment: 'broken', image: 'nginx:2' });
    await eventually(async () => expect(imageOf(await deploymentOf('broken'))).toBe('nginx:2'));
    const other = { spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:3' }] } } } };
    await environment.client.patch(Deployment, key('broken'), { strategic: other });
    await cancel(Upgrade, 'other');
    await reached(Upgrade, 'other', 'Cancelled');
    expect(imageOf(await deploymentOf('broken'))).toBe('nginx:3');
  });

  it('refuses an operation without its Deployment or its container', async () => {
    await create(Restart, 'nowhere', { deployment: 'missing' });
    expect(await reached(Restart, 'nowhere', 'Refused')).toBe('Deployment missing does not exist');
    await deploy('single', { replicas: 0 });
    await create(Upgrade, 'nowhere', { deployment: 'single', container: 'sidecar', image: 'nginx:2' });
    expect(await reached(Upgrade, 'nowhere', 'Refused')).toBe('Deployment single has no such container');
  });

  it('deletes operations at the end of their time, and those beyond the history limit', async () => {
    await deploy('kept', { replicas: 0 });
    await create(Restart, 'first', { deployment: 'kept' });
    await reached(Restart, 'first', 'Succeeded');
    await create(Restart, 'brief', { deployment: 'kept', ttlAfterFinished: '0s' });
    await gone(Restart, 'brief');
    await create(Restart, 'last', { deployment: 'kept', historyLimit: 1 });
    await gone(Restart, 'first');
    await reached(Restart, 'last', 'Succeeded');
  });

  it('does not change what an operation does after its creation', async () => {
    await expect(
      environment.client.patch(Restart, key('restart'), { merge: { spec: { deployment: 'other' } } }),
    ).rejects.toThrow('spec.deployment');
  });
});
