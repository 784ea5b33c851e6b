import { describeWithRealServer } from '../../../../../test/real-server.fixture.ts';
import { embeddedServer, normalise, realServer } from '../../comparison.fixture.ts';
import { inOrder, itIsTheSame } from '../course.fixture.ts';
import { CronJobCourse, cronJobCourses } from './cron-job-courses.fixture.ts';

interface Seen {
  readonly cronJob: { readonly metadata: Record<string, unknown> };
  readonly jobs: readonly { readonly metadata: Record<string, unknown> }[];
}

/** The parts of a recorded scenario that must be equal on both servers. */
function comparable(seen: readonly unknown[]): unknown {
  return (seen as Seen[]).map(({ cronJob, jobs, ...rest }) => ({
    ...rest,
    cronJob: withoutManagers(cronJob),
    jobs: jobs.map(withoutManagers),
  }));
}

function withoutManagers({ metadata, ...rest }: Seen['cronJob']): unknown {
  const { managedFields: _, ...kept } = metadata;
  return inOrder(normalise({ ...rest, metadata: kept }));
}

/**
 * Each Event once, because the real server merges repeated ones. The real controller may also report a Job as missing that it
 * has just deleted itself, if its cache still has the CronJob's old status.
 */
function comparableEvents(events: readonly string[]): string[] {
  const deleted = new Set(
    events.flatMap((event) => /^Normal SuccessfulDelete: Deleted job (.*)$/.exec(event)?.[1] ?? []),
  );
  const missingOf = (event: string): string =>
    /^Normal MissingJob: Active job went missing: (.*)$/.exec(event)?.[1] ?? '';
  return [...new Set(events)].filter((event) => !deleted.has(missingOf(event)));
}

describeWithRealServer('CronJobs on the real server and on the embedded one', () => {
  itIsTheSame(
    cronJobCourses,
    () => Promise.all([realServer([], 'nodes'), embeddedServer({})]),
    (server, namespace) => new CronJobCourse(server, namespace),
    ({ seen }) => comparable(seen),
    async (course) => comparableEvents(await course.events()),
  );
});
