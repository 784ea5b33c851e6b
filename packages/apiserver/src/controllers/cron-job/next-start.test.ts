import { parseCronSchedule } from '../../strategy/batch/cron-schedule.ts';
import { nextStart } from './next-start.ts';
import { TimeZone } from './time-zone.ts';

/** The next start, as upstream's library calculates it (robfig/cron 3.0.1). The last ones are close to a transition. */
const starts: readonly (readonly [schedule: string, zone: string, after: string, next: string | undefined])[] = [
  ['@every -1s', 'Australia/Lord_Howe', '2025-09-25T01:55:58.012Z', '2025-09-25T01:55:59Z'],
  ['@every 1.5s', 'Europe/London', '2009-05-26T07:30:11.941Z', '2009-05-26T07:30:12Z'],
  ['*/15 2-4 31 2 *', 'America/Havana', '2008-12-05T04:13:12.538Z', undefined],
  ['@every 1h30m', 'America/Havana', '2008-01-15T01:14:02.105Z', '2008-01-15T02:44:02Z'],
  ['? 2 31 11 *', 'UTC', '2021-01-02T06:44:18.389Z', undefined],
  ['@every 1h0.1s', 'Asia/Beirut', '2021-10-30T23:11:58Z', '2021-10-31T00:11:58Z'],
  ['7,37 2 * */5 ?', 'Antarctica/Troll', '2018-05-17T20:01:50.93Z', '2018-06-01T00:07:00Z'],
  ['* 0 31 11 sun', 'Europe/Berlin', '2011-12-26T21:31:41.573Z', '2012-11-03T23:00:00Z'],
  ['5-20/5 */6 8 3 mon-fri', 'Asia/Kolkata', '2023-05-17T12:16:05.411Z', '2024-02-29T18:35:00Z'],
  ['* 0,12 1-7 11 0', 'UTC', '2010-03-22T18:38:17.28Z', '2010-11-01T00:00:00Z'],
  ['0 2-4 1-7 1 ?', 'Asia/Kolkata', '2009-07-21T11:22:29.201Z', '2009-12-31T20:30:00Z'],
  ['? 3 */7 1 sun', 'Antarctica/Troll', '2017-07-08T13:44:32.278Z', '2018-01-01T03:00:00Z'],
  ['30 * */7 1 mon-fri', 'America/New_York', '2018-11-03T13:35:16Z', '2019-01-01T05:30:00Z'],
  ['7,37 0 * jan,jul ?', 'America/New_York', '2026-10-31T22:03:44Z', '2027-01-01T05:07:00Z'],
  ['59 2 29 1 0', 'Australia/Lord_Howe', '2018-11-21T09:46:06.667Z', '2019-01-05T15:59:00Z'],
  ['5-20/5 0 1-7 1 */2', 'Asia/Tehran', '2016-07-10T01:49:48.421Z', '2016-12-31T20:35:00Z'],
  ['30 0 1-7 2 ?', 'Australia/Lord_Howe', '2008-04-05T13:05:51Z', '2009-01-31T13:30:00Z'],
  ['*/15 * 29 */5 6', 'UTC', '2016-08-14T09:40:33.341Z', '2016-11-05T00:00:00Z'],
  ['* 2-4 1-7 */5 0', 'America/New_York', '2017-11-05T02:03:40Z', '2017-11-05T07:00:00Z'],
  ['5-20/5 * 1 * 0', 'America/Havana', '2015-03-07T06:14:55Z', '2015-03-08T05:05:00Z'],
  ['5-20/5 3 29 * 6', 'Europe/Berlin', '2020-03-28T06:28:31Z', '2020-03-29T01:05:00Z'],
  ['7,37 2-4 1-7 */5 sun', 'America/New_York', '2026-11-01T02:14:31Z', '2026-11-01T07:07:00Z'],
  ['*/15 */6 */7 2 0', 'America/Sao_Paulo', '2019-02-16T10:16:40Z', '2019-02-17T03:00:00Z'],
  ['0 1 8 11 */2', 'America/St_Johns', '2010-11-06T07:40:54Z', '2010-11-07T04:30:00Z'],
  ['0 0 13,14 10 0', 'Asia/Beirut', '2018-10-27T01:44:49Z', '2018-10-27T22:00:00Z'],
  ['30 1 29 * sun', 'America/Sao_Paulo', '2012-10-20T22:49:36Z', '2012-10-21T03:30:00Z'],
  ['*/15 */6 1-7 * *', 'Pacific/Apia', '2017-04-01T13:26:55Z', '2017-04-01T17:00:00Z'],
  ['59 3 29 3 sun', 'Asia/Tehran', '2021-03-21T07:03:59Z', '2021-03-21T23:29:00Z'],
  ['30 3 * * */2', 'America/St_Johns', '2016-03-12T22:04:16Z', '2016-03-13T06:00:00Z'],
  ['7,37 2-4 1-7 * ?', 'Australia/Lord_Howe', '2026-04-03T18:36:30Z', '2026-04-04T16:07:00Z'],
  ['59 2 31 * sun', 'Europe/London', '2019-10-26T03:59:01Z', '2019-10-27T02:59:00Z'],
  ['59 * * 10 sun', 'Asia/Beirut', '2017-10-28T05:32:41Z', '2017-10-28T22:59:00Z'],
  ['*/15 3 ? 10 0', 'Europe/London', '2022-10-29T02:42:21Z', '2022-10-30T03:00:00Z'],
  ['5-20/5 1 29 * */2', 'Asia/Tehran', '2011-09-21T17:12:35Z', '2011-09-21T21:35:00Z'],
  ['*/15 0,12 31 3 6', 'America/Havana', '2020-03-07T20:19:23Z', '2020-03-08T16:00:00Z'],
  ['*/15 3 13,14 10 0', 'Europe/Berlin', '2023-10-28T04:46:12Z', '2023-10-29T02:00:00Z'],
  ['* * 1 * mon-fri', 'Pacific/Apia', '2012-09-29T08:57:49Z', '2012-09-30T10:00:00Z'],
  ['*/15 22-23 29 * 0', 'Australia/Lord_Howe', '2019-04-06T13:25:29Z', '2019-04-07T12:00:00Z'],
  ['* 3 * 10 */2', 'Antarctica/Troll', '2011-10-29T14:33:56Z', '2011-10-30T03:00:00Z'],
  ['? 0,12 ? 10 mon-fri', 'Antarctica/Troll', '2009-10-24T20:23:08Z', '2009-10-26T00:00:00Z'],
];

describe('nextStart', () => {
  it.each(starts)('of %s in %s after %s is %s', (text, zoneName, after, next) => {
    const schedule = parseCronSchedule(text);
    const zone = TimeZone.named(zoneName);
    if (typeof schedule === 'string' || zone === undefined) throw new Error(`${text} in ${zoneName} is invalid`);
    const start = nextStart(schedule, Date.parse(after), zone);
    expect(start).toBe(next === undefined ? undefined : Date.parse(next));
  });

  it('is undefined at once for a field that selects nothing', () => {
    const schedule = parseCronSchedule(', * * * *');
    if (typeof schedule === 'string') throw new Error(schedule);
    expect(nextStart(schedule, 0, TimeZone.utc)).toBeUndefined();
  });
});
