import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, normalise, realServer } from '../comparison.fixture.ts';
import { JobCourse, jobCourses } from './job-courses.fixture.ts';

type Seen = Record<string, unknown> & { metadata: Record<string, unknown>; status: Record<string, unknown> };

/** What both servers must have in common of what a course has seen. */
function comparable(seen: readonly unknown[]): unknown {
  return (seen as { what: string; job: Seen | 'none'; pods: Seen[] }[]).map(({ what, job, pods }) => ({
    what,
    job: job === 'none' ? job : named(job),
    pods: pods.map(ofPod).sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)),
  }));
}

function named({ metadata: { managedFields: _, ...metadata }, ...rest }: Seen): unknown {
  const text = JSON.stringify(normalise({ ...rest, metadata }));
  return inOrder(JSON.parse(text.replaceAll(/\b(generated(?:-\d+)?)-[a-z0-9]{5}\b/g, '$1-<random>')));
}

/** With sorted keys, so that the text of an object is always the same. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, inOrder(member)]));
}

/** kwok gives other addresses, says when a pod began, and leaves one that has ended ready, as no kubelet does. */
function ofPod(pod: Seen): unknown {
  const {
    podIP: _ip,
    podIPs: _ips,
    hostIP: _host,
    hostIPs: _hosts,
    startTime: _start,
    conditions,
    ...status
  } = pod.status;
  const kept = ((conditions ?? []) as { type: string }[]).filter(({ type }) => !type.endsWith('Ready'));
  return named({ ...pod, status: { ...status, conditions: kept } });
}

describeWithRealServer('Jobs on the real server and on the embedded one', () => {
  let servers: ComparedServer[] = [];
  let runs: Map<string, Promise<{ seen: unknown; course: JobCourse }>[]>;

  beforeAll(async () => {
    servers = await Promise.all([realServer([], 'nodes'), embeddedServer({})]);
    // All at once: what takes long about a Job is that it waits.
    runs = new Map(
      Object.entries(jobCourses).map(([title, take], index) => [
        title,
        servers.map(async (server) => {
          const course = new JobCourse(server, `course-${index}`);
          await course.begin();
          await take(course);
          return { seen: comparable(course.seen), course };
        }),
      ]),
    );
    for (const each of runs.values()) for (const run of each) run.catch(() => undefined);
  }, 60_000);

  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.each(Object.keys(jobCourses))(
    '%s',
    async (title) => {
      const [real, embedded] = await Promise.all(runs.get(title) ?? []);
      if (real === undefined || embedded === undefined) throw new Error(`${title} did not run`);
      expect(embedded.seen).toEqual(real.seen);
      const expected = await eventsOf(embedded.course);
      let events = await eventsOf(real.course);
      // The real server's controllers send five requests a second for Events once they sent some.
      const deadline = Date.now() + 40_000;
      while (events.length < expected.length && Date.now() < deadline) events = await eventsOf(real.course);
      expect(expected).toEqual(events);
    },
    60_000,
  );
});

/** The same remark of one object is one Event on the real server, with a count; a refusal comes with each attempt. */
async function eventsOf(course: JobCourse): Promise<string[]> {
  const events = [...new Set(await course.events())].map((text) =>
    text.replace(/generated-(?:\d+-)?[a-z0-9]{5}/, '<pod>'),
  );
  return events.filter((text, index) => !text.includes(' FailedCreate: ') || events.indexOf(text) === index);
}
