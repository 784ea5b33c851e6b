import { readFile } from 'node:fs/promises';
import { Environment, RbacAudit } from '@evenkeel/testing';
import {
  createManager,
  MutatingWebhookConfiguration,
  Namespace,
  type StatusError,
  ValidatingWebhookConfiguration,
} from 'evenkeel';
import { parseAllDocuments } from 'yaml';
import {
  describeOnEmbeddedServer,
  describeWithRealServer,
  realServerAssets,
} from '../../../test/real-server.fixture.ts';
import { CronJob, type CronJobSpec } from './cron-job.ts';
import { timeZoneAnnotation } from './cron-job.webhooks.ts';
import { CronJobV2, type CronJobV2Spec } from './cron-job-v2.ts';
import { operator } from './operator.ts';

/** The objects of a generated file. */
const generated = async (file: string) =>
  parseAllDocuments(await readFile(`${import.meta.dirname}/../config/${file}`, 'utf8')).map((one) => one.toJS());
const jobTemplate = { spec: { template: { spec: { containers: [{ name: 'hello', image: 'busybox' }] } } } };
const everyDay = { minute: '0', hour: '0', dayOfMonth: '*', month: '*', dayOfWeek: '*' };

const kindOf = ({ kind }: { readonly kind: string }): typeof ValidatingWebhookConfiguration =>
  kind === 'MutatingWebhookConfiguration' ? (MutatingWebhookConfiguration as never) : ValidatingWebhookConfiguration;

/** The whole operator as it is declared, with the permissions of its roles. */
function operatorTests(start: () => Promise<Environment>): void {
  let environment: Environment;
  let audit: RbacAudit;
  let namespace: string;

  beforeAll(async () => {
    environment = await start();
    await environment.install(...(await generated('crd/batch.example.com_cronjobs.yaml')));
    namespace = await environment.createNamespace();
  });
  afterAll(() => environment?.close());

  const cronJob = (name: string, spec: Partial<CronJobSpec> = {}) => ({
    metadata: { name, namespace },
    spec: { schedule: '@daily', jobTemplate, suspend: true, ...spec } as CronJobSpec,
  });
  const create = (name: string, spec: Partial<CronJobSpec> = {}) =>
    environment.client.create(CronJob, cronJob(name, spec));
  const createV2 = (name: string, schedule: object, spec: Partial<CronJobV2Spec> = {}) =>
    environment.client.create(CronJobV2, {
      metadata: { name, namespace },
      spec: { schedule: { ...everyDay, ...schedule }, jobTemplate, suspend: true, ...spec } as CronJobV2Spec,
    });
  /** The message of the API server's rejection. */
  const refusal = async (request: Promise<unknown>): Promise<string> => {
    const message = await request.then(
      () => 'accepted',
      ({ status }: StatusError) => status.message ?? '',
    );
    return message.replaceAll(namespace, 'NAMESPACE');
  };
  const annotate = (timeZone: string | null): Promise<unknown> =>
    environment.client.patch(Namespace, namespace, {
      merge: { metadata: { annotations: { [timeZoneAnnotation]: timeZone } } } as never,
    });

  it('lets CronJobs with a time zone be changed while it is down', async () => {
    const { client } = environment;
    await create('before-webhooks');
    const configurations = await generated('webhook/manifests.yaml');
    for (const object of configurations) await client.create(kindOf(object), object);
    await environment.eventually(async () =>
      expect(await refusal(client.create(CronJob, cronJob('without-time-zone'), { dryRun: true }))).toMatch(
        /failed calling webhook "mcronjob-v1\.batch\.example\.com"/,
      ),
    );
    await create('stored-before', { schedule: '61 * * * *', timeZone: 'Etc/UTC' });
    for (const { kind, metadata } of configurations) await client.delete(kindOf({ kind }), metadata.name);
  });

  describe('while it runs', () => {
    beforeAll(async () => {
      const manager = await environment.run(async (connection) => {
        audit = await RbacAudit.create({ ...operator, transport: connection.transport });
        const started = await createManager({ ...operator, ...connection, transport: audit.transport });
        await started.start();
        return started;
      });
      await manager.waitUntilReady();
    });

    it('converts its versions, without any set-up', async () => {
      const { client } = environment;
      await create('hello');
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

    it('sets the time zone of the Namespace in both versions, and keeps it when the Namespace changes', async () => {
      const { client } = environment;
      expect((await create('utc')).spec.timeZone).toBe('Etc/UTC');
      await annotate('Asia/Tokyo');
      expect((await create('tokyo')).spec.timeZone).toBe('Asia/Tokyo');
      expect((await createV2('tokyo-v2', {})).spec.timeZone).toBe('Asia/Tokyo');
      expect((await create('own', { timeZone: 'Europe/Berlin' })).spec.timeZone).toBe('Europe/Berlin');
      // It has always run in UTC.
      const merged = { merge: { metadata: { labels: { changed: 'yes' } } } };
      expect((await client.patch(CronJob, `${namespace}/before-webhooks`, merged)).spec.timeZone).toBeUndefined();
      await annotate('Mars/Olympus');
      expect(await refusal(createV2('mars', {}))).toBe(
        'admission webhook "mcronjob-v1.batch.example.com" denied the request: the annotation batch.example.com/time-zone of the Namespace NAMESPACE is "Mars/Olympus", which is not a time zone; correct it, or set spec.timeZone',
      );
      await annotate(null);
      expect((await client.patch(CronJob, `${namespace}/tokyo`, merged)).spec.timeZone).toBe('Asia/Tokyo');
      const reset = { spec: { timeZone: null } } as never;
      expect((await client.patch(CronJob, `${namespace}/tokyo`, { merge: reset })).spec.timeZone).toBe('Etc/UTC');
    });

    it('rejects a schedule and a time zone that no schema can check, with the fields of the version that is written', async () => {
      const of = (name: string): string =>
        `admission webhook "vcronjob-v1.batch.example.com" denied the request: CronJob.batch.example.com "${name}" is invalid: `;
      expect(await refusal(create('a', { schedule: '61 * * * *', timeZone: 'Mars/Olympus' }))).toBe(
        `${of('a')}[spec.timeZone: Invalid value: "Mars/Olympus": unknown time zone; use an IANA name such as "Europe/Berlin", spec.schedule: Invalid value: "61 * * * *": Invalid value for minute: 61]`,
      );
      expect(await refusal(createV2('b', { minute: '61', dayOfWeek: '8' }))).toBe(
        `${of('b')}[spec.schedule.minute: Invalid value: "61": Invalid value for minute: 61, spec.schedule.dayOfWeek: Invalid value: "8": Invalid value for dayOfWeek: 8]`,
      );
      expect(await refusal(createV2('c', { dayOfMonth: '31', month: '2' }))).toBe(
        `${of('c')}spec.schedule: Invalid value: "0 0 31 2 *": "0 0 31 2 *" is a date that never occurs`,
      );
      const { client } = environment;
      const later = { spec: { schedule: { hour: '24' } } };
      expect(await refusal(client.patch(CronJobV2, `${namespace}/own`, { merge: later }))).toBe(
        `${of('own')}spec.schedule.hour: Invalid value: "24": Invalid value for hour: 24`,
      );
    });

    it('leaves to the CRD what it can check: the length of the name', async () => {
      expect(await refusal(create('x'.repeat(53)))).toContain(
        'the name must not be longer than 52 characters, because the names of Jobs add 11',
      );
      expect(await refusal(create('x'.repeat(52)))).toBe('accepted');
    });

    it('reports an invalid schedule that was stored before, which can be changed, suspended and deleted', async () => {
      const { client } = environment;
      const key = `${namespace}/stored-before`;
      const resumed = await client.patch(CronJob, key, { merge: { spec: { suspend: false } } });
      expect(resumed.spec.timeZone).toBe('Etc/UTC');
      await environment.eventually(async () => {
        const { status } = await client.get(CronJobV2, key);
        expect(status?.conditions).toEqual([
          expect.objectContaining({ reason: 'InvalidSchedule', message: expect.stringContaining('minute: 61') }),
        ]);
      });
      const other = await refusal(client.patch(CronJob, key, { merge: { spec: { schedule: '62 * * * *' } } }));
      expect(other).toContain('spec.schedule: Invalid value: "62 * * * *"');
      await client.patch(CronJob, key, { merge: { spec: { schedule: '59 * * * *' } } });
      await environment.eventually(async () => {
        const { status } = await client.get(CronJob, key);
        expect(status?.conditions).toEqual([expect.objectContaining({ reason: 'AsScheduled' })]);
      });
      await client.delete(CronJob, key);
    });

    // This test is last: the tests above must need exactly the permissions of the webhooks.
    it('needs only the permissions of its roles, among them those of its webhooks', () => {
      expect(audit.refused).toEqual([]);
      expect(audit.unusedDeclarations.filter((unused) => unused.includes('namespaces'))).toEqual([]);
    });
  });
}

describeOnEmbeddedServer('the whole cronjob operator on an embedded server', () => {
  operatorTests(() => Environment.create({ variables: {} }));
});

describeWithRealServer('the whole cronjob operator on a real server', () => {
  operatorTests(async () => Environment.create({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } }));
});
