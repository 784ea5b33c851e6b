import { readSources, validate } from '@evenkeel/schema';
import { CronJob } from './cron-job.ts';

const sources = await readSources(`${import.meta.dirname}/cron-job.ts`);
const metadata = { name: 'hello' };
const spec = { schedule: '*/5 * * * *', jobTemplate: {} };

describe('CronJob', () => {
  it('requires only a schedule and a template', async () => {
    const { messages, object } = await validate(CronJob, { metadata, spec }, { sources });
    expect(messages).toEqual([]);
    expect(object.spec).toEqual({
      ...spec,
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    const missing = await validate(CronJob, { metadata, spec: {} }, { sources });
    expect(missing.messages.slice(0, 2)).toEqual(['spec.jobTemplate: Required value', 'spec.schedule: Required value']);
  });

  it.each(['@daily', '0 9 * * MON-FRI', '0 0 1,15 * *'])('accepts the schedule %s', async (schedule) => {
    const { messages } = await validate(CronJob, { metadata, spec: { ...spec, schedule } }, { sources });
    expect(messages).toEqual([]);
  });

  it.each(['', 'daily', '* * * *', '* * * * * *', '2026-01-01T00:00:00Z'])(
    'rejects the schedule "%s"',
    async (schedule) => {
      const { messages } = await validate(CronJob, { metadata, spec: { ...spec, schedule } }, { sources });
      expect(messages).toEqual([expect.stringMatching(/^spec\.schedule: Invalid value: /)]);
    },
  );

  it('rejects an invalid policy, and a name that is too long for its Jobs', async () => {
    const sometimes = { metadata, spec: { ...spec, concurrencyPolicy: 'Sometimes' } };
    expect((await validate(CronJob, sometimes, { sources })).messages[0]).toBe(
      'spec.concurrencyPolicy: Unsupported value: "Sometimes": supported values: "Allow", "Forbid", "Replace"',
    );
    const long = { metadata: { name: 'x'.repeat(53) }, spec };
    expect((await validate(CronJob, long, { sources })).messages).toEqual([
      expect.stringMatching(/the name must not be longer than 52 characters, because the names of Jobs add 11$/),
    ]);
  });
});
