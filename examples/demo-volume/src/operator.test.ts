import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment } from '@evenkeel/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createManager, findCondition, ignoreNotFound, PersistentVolumeClaim } from 'evenkeel';
import { DemoVolume, type DemoVolumeSpec } from './demo-volume.ts';
import { fields } from './fields.ts';
import { operator } from './operator.ts';
import { TestProvisioner } from './provisioner.fixture.ts';

describe('the demo-volume operator', () => {
  let environment: Environment;
  let namespace: string;

  const key = (name: string): string => `${namespace}/${name}`;
  const eventually: Environment['eventually'] = (assertion) => environment.eventually(assertion, { timeout: '60s' });
  const create = (name: string, spec: Partial<DemoVolumeSpec>): Promise<unknown> =>
    environment.client.create(DemoVolume, {
      metadata: { name, namespace },
      spec: { size: '1Gi', storageClassName: 'expandable', ...spec } as DemoVolumeSpec,
    });
  const claimOf = (name: string): Promise<PersistentVolumeClaim | undefined> =>
    ignoreNotFound(environment.client.get(PersistentVolumeClaim, key(name)));
  const available = (name: string, capacity: string): Promise<void> =>
    eventually(async () => {
      const { status } = await environment.client.get(DemoVolume, key(name));
      expect(status?.capacity).toBe(capacity);
      expect(findCondition(status?.conditions, 'Available')?.status).toBe('True');
      expect(findCondition(status?.conditions, 'Progressing')).toMatchObject({
        status: 'False',
        reason: 'SizeReached',
      });
    });
  const remove = async (name: string): Promise<void> => {
    await environment.client.delete(DemoVolume, key(name));
    await eventually(async () => {
      expect(await ignoreNotFound(environment.client.get(DemoVolume, key(name)))).toBeUndefined();
    });
  };

  beforeAll(async () => {
    const sources = await readSources(`${import.meta.dirname}/demo-volume.ts`);
    environment = await Environment.create({ definitions: [await customResourceDefinitionOf(DemoVolume, sources)] });
    namespace = await environment.createNamespace();
    await TestProvisioner.start(environment, namespace);
    await environment.run(async (connection) => {
      const manager = await createManager({ ...operator, ...connection, fields, namespaces: [namespace] });
      await manager.start();
      return manager;
    });
  }, 60_000);
  afterAll(() => environment?.close(), 60_000);

  it('provides a volume, and expands it', async () => {
    await create('data', {});
    await available('data', '1Gi');
    const claim = await claimOf('data');
    expect(claim?.metadata.ownerReferences).toMatchObject([{ kind: 'DemoVolume', name: 'data', controller: true }]);
    await environment.client.patch(DemoVolume, key('data'), { merge: { spec: { size: '3Gi' } } });
    await available('data', '3Gi');
    expect((await claimOf('data'))?.spec?.resources?.requests).toEqual({ storage: '3Gi' });
  });

  it('rejects a smaller size, and another class', async () => {
    await create('large', { size: '1Gi' });
    const change = (spec: Partial<DemoVolumeSpec>): Promise<unknown> =>
      environment.client.patch(DemoVolume, key('large'), { merge: { spec } });
    await expect(change({ size: '1023Mi' })).rejects.toThrow('size must not decrease, because volumes cannot shrink');
    await expect(change({ storageClassName: 'fixed' })).rejects.toThrow('immutable');
    // The same size in another unit.
    await change({ size: '1024Mi' });
  });

  it('is degraded while its class does not allow the wanted size', async () => {
    await create('fixed', { storageClassName: 'fixed' });
    await available('fixed', '1Gi');
    await environment.client.patch(DemoVolume, key('fixed'), { merge: { spec: { size: '2Gi' } } });
    await eventually(async () => {
      const { status } = await environment.client.get(DemoVolume, key('fixed'));
      expect(findCondition(status?.conditions, 'Degraded')).toMatchObject({
        status: 'True',
        reason: 'ResizeRefused',
        message: expect.stringContaining('only dynamically provisioned pvc can be resized'),
      });
      expect(findCondition(status?.conditions, 'Available')?.status).toBe('True');
      expect(findCondition(status?.conditions, 'Progressing')?.message).toBe('1Gi of 2Gi');
    });
  });

  it('deletes the claim with the policy Delete', async () => {
    await create('deleted', {});
    await available('deleted', '1Gi');
    await remove('deleted');
    await eventually(async () => expect(await claimOf('deleted')).toBeUndefined());
  });

  it('keeps the claim with the policy Retain, and gives it to a new DemoVolume of that name', async () => {
    await create('retained', { reclaimPolicy: 'Retain' });
    await available('retained', '1Gi');
    const before = await claimOf('retained');
    await remove('retained');
    const kept = await claimOf('retained');
    expect(kept?.metadata.ownerReferences ?? []).toEqual([]);
    await create('retained', { size: '2Gi' });
    await available('retained', '2Gi');
    const after = await claimOf('retained');
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(after?.metadata.ownerReferences).toMatchObject([{ kind: 'DemoVolume', name: 'retained' }]);
  });

  it('does not take over a claim of somebody else', async () => {
    const spec = { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage: '1Gi' } } };
    const foreign = { metadata: { name: 'foreign', namespace }, spec: { ...spec, storageClassName: 'expandable' } };
    await environment.client.create(PersistentVolumeClaim, foreign);
    await create('foreign', {});
    await eventually(async () => {
      const { status } = await environment.client.get(DemoVolume, key('foreign'));
      expect(findCondition(status?.conditions, 'ChildrenOwned')).toMatchObject({ reason: 'ForeignChild' });
    });
    await remove('foreign');
    expect(await claimOf('foreign')).toBeDefined();
  });
});
