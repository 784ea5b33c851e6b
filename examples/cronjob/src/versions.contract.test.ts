import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment } from '@evenkeel/testing';
import { createManager, type Manager } from 'evenkeel';
import { describeWithRealServer, realServerAssets } from '../../../test/real-server.fixture.ts';
import { CronJobController } from './cron-job.controller.ts';
import { CronJob, type CronJobSpec } from './cron-job.ts';
import { CronJobV2, type CronJobV2Spec } from './cron-job-v2.ts';

const files = ['cron-job.ts', 'cron-job-v2.ts'].map((file) => `${import.meta.dirname}/${file}`);
const metadata = (name: string, namespace: string) => ({ name, namespace });
const jobTemplate = { spec: { template: { spec: { containers: [{ name: 'hello', image: 'busybox' }] } } } };
const everyDay = { minute: '0', hour: '0', dayOfMonth: '*', month: '*', dayOfWeek: '*' };

function bothVersions(start: () => Promise<Environment>): void {
  let environment: Environment;
  let namespace: string;
  let manager: Manager;

  beforeAll(async () => {
    environment = await start();
    const sources = await readSources(files);
    await environment.install(await customResourceDefinitionOf([CronJob, CronJobV2], { sources }));
    namespace = await environment.createNamespace();
    manager = await environment.run(async (connection) => {
      const controllers = [CronJobController];
      const started = await createManager({ ...connection, name: 'cron', controllers, conversions: [CronJobV2] });
      await started.start();
      return started;
    });
    await manager.waitUntilReady();
  });
  afterAll(() => environment?.close());

  it('are converted by the operator, without any set-up', async () => {
    const { client } = environment;
    const spec = { schedule: '@daily', jobTemplate, suspend: true } as CronJobSpec;
    await client.create(CronJob, { metadata: metadata('hello', namespace), spec });
    const read = await client.get(CronJobV2, `${namespace}/hello`);
    expect(read.spec.schedule).toEqual(everyDay);
    expect(read.metadata.annotations).toEqual({ 'conversion.evenkeel.dev/v1': expect.stringContaining('@daily') });

    await client.patch(CronJobV2, `${namespace}/hello`, { merge: { spec: { failedJobsHistoryLimit: 7 } } });
    const kept = await client.get(CronJob, `${namespace}/hello`);
    expect(kept.spec).toMatchObject({ schedule: '@daily', failedJobsHistoryLimit: 7 });
    expect(kept.metadata.annotations).toBeUndefined();

    await client.patch(CronJobV2, `${namespace}/hello`, { merge: { spec: { schedule: { hour: '6' } } } });
    expect((await client.get(CronJob, `${namespace}/hello`)).spec.schedule).toBe('0 6 * * *');
  });

  it('can both be written, and are reconciled', async () => {
    const { client } = environment;
    const schedule = { ...everyDay, minute: '61' };
    await client.create(CronJobV2, {
      metadata: metadata('invalid', namespace),
      spec: { schedule, jobTemplate } as CronJobV2Spec,
    });
    await environment.eventually(async () => {
      const { status } = await client.get(CronJobV2, `${namespace}/invalid`);
      expect(status?.conditions).toEqual([expect.objectContaining({ reason: 'InvalidSchedule' })]);
    });
    const { items } = await client.list(CronJob, { namespace });
    expect(items.map(({ spec }) => spec.schedule).sort()).toEqual(['0 6 * * *', '61 0 * * *']);
  });
}

describe('v1 and v2 on an embedded server', () => {
  bothVersions(() => Environment.create({ variables: {} }));
});

describeWithRealServer('v1 and v2 on a real server', () => {
  bothVersions(async () => Environment.create({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } }));
});
