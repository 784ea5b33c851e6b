import { convert } from '@evenkeel/testing';
import { CronJobV2 } from './cron-job-v2.ts';

const metadata = { name: 'hello', namespace: 'default' };
const v1 = (schedule: string, more: object = {}) => ({
  apiVersion: 'batch.example.com/v1',
  kind: 'CronJob',
  metadata,
  spec: { schedule, ...more },
});
const v2 = (schedule: object, more: object = {}) => ({
  apiVersion: 'batch.example.com/v2',
  kind: 'CronJob',
  metadata,
  spec: { schedule, ...more },
});

describe('the conversion between v1 and v2', () => {
  it('splits and joins the schedule, and copies the rest', () => {
    const parts = { minute: '*/5', hour: '9', dayOfMonth: '*', month: '*', dayOfWeek: 'MON-FRI' };
    const joined = v1('*/5 9 * * MON-FRI', { suspend: true });
    expect(convert(CronJobV2, joined)).toEqual(v2(parts, { suspend: true }));
    expect(convert(CronJobV2, v2(parts, { suspend: true }))).toEqual(joined);
    expect(convert(CronJobV2, v2({ minute: '5' }))).toEqual(v1('5 * * * *'));
  });

  it('keeps a nickname until the schedule is changed through v2', () => {
    const read = convert(CronJobV2, v1('@daily', { suspend: false })) as ReturnType<typeof v2>;
    expect(read.spec.schedule).toEqual({ minute: '0', hour: '0', dayOfMonth: '*', month: '*', dayOfWeek: '*' });
    expect(convert(CronJobV2, { ...read, spec: { ...read.spec, suspend: true } })).toEqual(
      v1('@daily', { suspend: true }),
    );
    const changed = { ...read, spec: { ...read.spec, schedule: { ...read.spec.schedule, hour: '6' } } };
    expect(convert(CronJobV2, changed)).toEqual(v1('0 6 * * *', { suspend: false }));
  });
});
