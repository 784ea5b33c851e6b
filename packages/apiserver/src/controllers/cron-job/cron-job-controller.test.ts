import type { CronJob, Job } from '@evenkeel/kinds';
import { ControlledServer } from '../controlled-server.fixture.ts';

const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const minuteMs = 60_000;

describe('the CronJob controller', () => {
  let server: ControlledServer;

  /** The clock starts on 1 January 2026, a Thursday. */
  beforeEach(async () => {
    server = await ControlledServer.start();
  });
  afterEach(() => server.close());

  const namesOfJobs = async (): Promise<string[]> =>
    ((await server.send('GET', jobs)).items as Job[]).map(({ metadata }) => metadata.name);
  const startOf = (name: string): string => new Date(Number(name.split('-').at(-1)) * minuteMs).toISOString();
  const status = async (): Promise<CronJob['status']> => (await server.send('GET', `${cronJobs}/clock`)).status;

  async function create(spec: object): Promise<void> {
    const { pending } = server.clock;
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } };
    await server.send('POST', cronJobs, {
      metadata: { name: 'clock' },
      spec: { jobTemplate: { spec: { template } }, ...spec },
    });
    // The controller is loaded with the first CronJob.
    await server.until(async () => server.clock.pending > pending);
    await server.quiet();
  }

  async function advance(ms: number): Promise<void> {
    await server.clock.advance(ms);
    await server.quiet();
  }

  it('starts a Job at each time of the schedule, and keeps the last three', async () => {
    await create({ schedule: '*/10 * * * *' });
    const starts: string[] = [];
    for (let minute = 1; minute <= 50; minute++) {
      await advance(minuteMs);
      const last = (await namesOfJobs()).at(-1);
      if (last !== undefined && !starts.includes(startOf(last))) starts.push(startOf(last));
    }
    expect(starts).toEqual(['00:10', '00:20', '00:30', '00:40'].map((time) => `2026-01-01T${time}:00.000Z`));
    expect((await namesOfJobs()).map(startOf)).toEqual(starts.slice(1));
    await advance(100);
    expect(await namesOfJobs()).toHaveLength(3);
    expect(await status()).toEqual({
      lastScheduleTime: '2026-01-01T00:50:00Z',
      lastSuccessfulTime: '2026-01-01T00:50:00Z',
    });
  });

  it('starts each period after its creation if the schedule is @every', async () => {
    await advance(20_000);
    await create({ schedule: '@every 90s' });
    await advance(90_000);
    expect(await namesOfJobs()).toEqual([]);
    await advance(100);
    expect((await namesOfJobs()).map(startOf)).toEqual(['2026-01-01T00:01:00.000Z']);
    expect(await status()).toMatchObject({ lastScheduleTime: '2026-01-01T00:01:50Z' });
  });

  it('starts at the time of a time zone, before and after a transition', async () => {
    await create({ schedule: '30 8 * * *', timeZone: 'Europe/Berlin', successfulJobsHistoryLimit: 100 });
    for (let day = 0; day < 90; day++) await advance(24 * 60 * minuteMs);
    const starts = (await namesOfJobs()).map(startOf);
    expect(starts).toHaveLength(90);
    expect(starts.filter((start) => start.startsWith('2026-03-2') || start.startsWith('2026-03-3')).slice(-4)).toEqual([
      '2026-03-28T07:30:00.000Z',
      '2026-03-29T06:30:00.000Z',
      '2026-03-30T06:30:00.000Z',
      '2026-03-31T06:30:00.000Z',
    ]);
  });

  it('starts at a new time if the schedule changes', async () => {
    await create({ schedule: '0 12 * * *' });
    await server.send('PATCH', `${cronJobs}/clock`, { spec: { schedule: '0 6 * * *' } });
    await server.quiet();
    await advance(6 * 60 * minuteMs + 100);
    expect((await namesOfJobs()).map(startOf)).toEqual(['2026-01-01T06:00:00.000Z']);
    await advance(6 * 60 * minuteMs);
    expect(await namesOfJobs()).toHaveLength(1);
  });
});
