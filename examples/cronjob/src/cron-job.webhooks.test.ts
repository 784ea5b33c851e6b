import { admit } from '@evenkeel/testing';
import { createManager, Namespace } from 'evenkeel';
import { CronJobDefaults, CronJobValidator, timeZoneAnnotation } from './cron-job.webhooks.ts';

const metadata = { name: 'hello', namespace: 'team' };
const job = (spec: object) => ({
  metadata,
  spec: { schedule: '@daily', timeZone: 'Etc/UTC', jobTemplate: {}, ...spec },
});

async function problems(spec: object, before?: object): Promise<string[]> {
  const old = before === undefined ? {} : { oldObject: job(before) };
  const { status } = await admit(createManager, CronJobValidator, { object: job(spec), ...old });
  return status?.details?.causes?.map(({ field, message }) => `${field}: ${message}`) ?? [];
}

describe('CronJobDefaults', () => {
  it('sets the time zone of the Namespace, and nothing else', async () => {
    const { patch } = await admit(createManager, CronJobDefaults, {
      object: { metadata, spec: { schedule: '@daily', unknown: 'kept' } },
      setUp: (client) =>
        client.create(Namespace, {
          metadata: { name: 'team', annotations: { [timeZoneAnnotation]: 'Asia/Tokyo' } },
        }),
    });
    expect(patch).toEqual([{ op: 'add', path: '/spec/timeZone', value: 'Asia/Tokyo' }]);
  });
});

describe('CronJobValidator', () => {
  it.each(['@daily', '*/5 9-17 * * MON-FRI', '0 0 L * *', '0  0 1 1 *'])('accepts %s', async (schedule) => {
    expect(await problems({ schedule })).toEqual([]);
  });

  it.each([
    ['61 * * * *', 'Invalid value for minute: 61'],
    ['0 0 31 2 *', '"0 0 31 2 *" is a date that never occurs'],
    ['@sometimes', expect.any(String)],
  ])('rejects %s', async (schedule, detail) => {
    expect(await problems({ schedule })).toEqual([
      expect.stringContaining(`spec.schedule: Invalid value: "${schedule}": `),
    ]);
    if (typeof detail === 'string') expect((await problems({ schedule }))[0]).toContain(detail);
  });

  it('rejects an unknown time zone', async () => {
    expect(await problems({ timeZone: 'Mars/Olympus' })).toEqual([
      'spec.timeZone: Invalid value: "Mars/Olympus": unknown time zone; use an IANA name such as "Europe/Berlin"',
    ]);
  });

  it('checks an update only if it changes the schedule or the time zone', async () => {
    const invalid = { schedule: '61 * * * *', timeZone: 'Mars/Olympus' };
    expect(await problems({ ...invalid, suspend: true }, invalid)).toEqual([]);
    expect(await problems({ ...invalid, schedule: '62 * * * *' }, invalid)).toHaveLength(1);
    expect(await problems(invalid, {})).toHaveLength(2);
  });
});
