import { cronScheduleError } from './cron-schedule.ts';

describe('cronScheduleError', () => {
  it.each([
    '* * * * *',
    '*/5 0-6,20 1 jan-dec mon',
    '0 0 ? * SUN',
    '1-59/2 * * * *',
    '@daily',
    '@every 1h30m',
    'TZ=UTC * * * * *',
  ])('accepts %s', (schedule) => {
    expect(cronScheduleError(schedule)).toBeUndefined();
  });

  it.each([
    ['', 'empty spec string'],
    ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['9-3 * * * *', 'beginning of range (9) beyond end of range (3): 9-3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['@often', 'unrecognized descriptor: @often'],
    ['@every day', 'failed to parse duration @every day: time: invalid duration "day"'],
    ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
    ['@every 1d', 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
  ])('rejects %j: %s', (schedule, error) => {
    expect(cronScheduleError(schedule)).toBe(error);
  });

  it('checks a long duration in linear time', () => {
    expect(cronScheduleError(`@every ${'1'.repeat(200_000)}`)).toMatch(/^failed to parse duration/);
  });
});
