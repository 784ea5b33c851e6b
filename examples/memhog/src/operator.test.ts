import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment } from '@evenkeel/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createManager, findCondition, ignoreNotFound, Job, provider, quantityValue, ResourceQuota } from 'evenkeel';
import { fields } from './fields.ts';
import { MemHog, type MemHogSpec, type MemHogStatus } from './memhog.ts';
import { MemoryMetrics } from './memory-metrics.ts';
import { operator } from './operator.ts';

/** What the pods of each Job use. */
class FakeMetrics extends MemoryMetrics {
  readonly usage = new Map<string, readonly string[]>();
  failure: Error | undefined;

  override async usageOf({ metadata: { name } }: Job): Promise<readonly number[]> {
    if (this.failure !== undefined) throw this.failure;
    return (this.usage.get(name) ?? []).map(quantityValue);
  }
}

describe('the memhog operator', () => {
  const metrics = new FakeMetrics();
  let environment: Environment;
  let namespace: string;

  const key = (name: string): string => `${namespace}/${name}`;
  const create = (name: string, spec: Partial<MemHogSpec>): Promise<unknown> =>
    environment.client.create(MemHog, { metadata: { name, namespace }, spec: spec as MemHogSpec });
  const change = (name: string, spec: Partial<MemHogSpec>): Promise<unknown> =>
    environment.client.patch(MemHog, key(name), { merge: { spec } });
  const jobOf = (name: string): Promise<Job> => environment.client.get(Job, key(name));
  /** Resolves to the status when a condition has a reason. */
  const reached = (name: string, type: string, reason: string): Promise<MemHogStatus> =>
    environment.eventually(
      async () => {
        const { status = {} } = await environment.client.get(MemHog, key(name));
        expect(findCondition(status.conditions, type)).toMatchObject({ reason });
        return status;
      },
      { timeout: '60s' },
    );

  beforeAll(async () => {
    const sources = await readSources(`${import.meta.dirname}/memhog.ts`);
    environment = await Environment.create({ definitions: [await customResourceDefinitionOf(MemHog, sources)] });
    namespace = await environment.createNamespace();
    await environment.run(async (connection) => {
      const overrides = [provider({ provide: MemoryMetrics, useValue: metrics })];
      const manager = await createManager({ ...operator, ...connection, fields, namespaces: [namespace], overrides });
      await manager.start();
      return manager;
    });
  }, 60_000);
  afterAll(() => environment?.close(), 60_000);

  it('runs a Job of the given memory and time, and recommends its peak and a margin', async () => {
    metrics.usage.set('measured-1', ['180Mi', '100Mi']);
    await create('measured', { memory: '200Mi', limit: '256Mi', duration: '90s' });
    const status = await reached('measured', 'Complete', 'Completed');
    expect(status).toMatchObject({ job: 'measured-1', peak: '180Mi', recommendation: '207Mi' });
    expect(findCondition(status.conditions, 'Recommended')).toMatchObject({
      status: 'True',
      message: '207Mi is the peak and 15 %',
    });
    const { metadata, spec } = await jobOf('measured-1');
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'MemHog', name: 'measured', controller: true }]);
    expect(spec?.template.spec?.containers[0]).toMatchObject({
      command: ['stress', '--vm', '1', '--vm-hang', '0', '--vm-bytes', '200M', '--timeout', '90s'],
      resources: { requests: { memory: '256Mi' }, limits: { memory: '256Mi' } },
    });
  });

  it('starts another Job for another spec, and measures it anew', async () => {
    metrics.usage.set('changed-1', ['1Gi']);
    metrics.usage.set('changed-2', ['20Mi']);
    await create('changed', { memory: '1Gi' });
    expect(await reached('changed', 'Recommended', 'Measured')).toMatchObject({ recommendation: '1178Mi' });
    await change('changed', { memory: '16Mi' });
    await environment.eventually(async () => {
      const { status } = await environment.client.get(MemHog, key('changed'));
      expect(status).toMatchObject({ job: 'changed-2', peak: '20Mi', recommendation: '23Mi' });
      expect(await ignoreNotFound(jobOf('changed-1'))).toBeUndefined();
    });
  });

  it('reports why there is no recommendation', async () => {
    await create('unmeasured', { memory: '16Mi' });
    const { conditions } = await reached('unmeasured', 'Recommended', 'NotMeasured');
    expect(findCondition(conditions, 'Recommended')).toMatchObject({ status: 'False' });
    metrics.failure = new Error('the metrics-server does not respond');
    await create('unavailable', { memory: '16Mi' });
    const status = await reached('unavailable', 'Recommended', 'MetricsUnavailable');
    expect(findCondition(status.conditions, 'Recommended')?.message).toBe('the metrics-server does not respond');
    metrics.failure = undefined;
    // The program does not depend on its metrics.
    await reached('unavailable', 'Complete', 'Completed');
  });

  it('is degraded if the Job fails', async () => {
    // No pod can be created, until the Job has exceeded its deadline.
    const quota = { metadata: { name: 'none', namespace }, spec: { hard: { 'count/pods': '0' } } };
    await environment.client.create(ResourceQuota, quota);
    await environment.eventually(async () => {
      const { status } = await environment.client.get(ResourceQuota, key('none'));
      expect(status?.hard).toEqual({ 'count/pods': '0' });
    });
    await create('failed', { memory: '16Mi' });
    await environment.eventually(() => jobOf('failed-1'));
    await environment.client.patch(Job, key('failed-1'), { merge: { spec: { activeDeadlineSeconds: 1 } } });
    const { conditions } = await reached('failed', 'Degraded', 'DeadlineExceeded');
    expect(findCondition(conditions, 'Complete')).toMatchObject({ status: 'False', reason: 'Failed' });
    expect(findCondition(conditions, 'Degraded')?.message).toBe('Job was active longer than specified deadline');
    await environment.client.delete(ResourceQuota, key('none'));
  });
});
