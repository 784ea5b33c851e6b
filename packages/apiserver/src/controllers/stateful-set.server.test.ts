import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, normalise, realServer } from '../comparison.fixture.ts';
import { StatefulSetCourse, statefulSetCourses } from './stateful-set-courses.fixture.ts';

interface Seen {
  readonly metadata: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}

/** What both servers must have in common of an object: not its times, its addresses, the hash of a template, or who wrote it. */
function comparable(value: unknown, areAlike: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, areAlike)).sort(byText);
  if (typeof value !== 'object' || value === null) return value;
  const { metadata, status, ...rest } = value as Seen;
  if (metadata === undefined) return plain(value, areAlike);
  const { managedFields: _, ...kept } = metadata;
  const { podIP: _ip, podIPs: _ips, hostIP: _host, hostIPs: _hosts, startTime: _start, ...said } = status ?? {};
  return plain({ ...rest, metadata: kept, ...(status !== undefined && { status: said }) }, areAlike);
}

function plain(value: unknown, areAlike: boolean): unknown {
  const text = JSON.stringify(normalise(value))
    .replaceAll(/\bdb-[bcdfghjklmnpqrstvwxz2456789]{6,10}\b/g, 'db-<hash>')
    .replaceAll(/("controller.kubernetes.io\/hash":)"\w+"/g, '$1"<hash>"');
  if (!areAlike) return inOrder(JSON.parse(text));
  return inOrder(
    JSON.parse(
      text.replaceAll(/\b(course-\d+)-\d\b/g, '$1-<volume>').replaceAll(/"number":"\d"/g, '"number":"<number>"'),
    ),
  );
}

/** With sorted keys, so that the text of an object is always the same. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, inOrder(member)]));
}

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}

describeWithRealServer('StatefulSets on the real server and on the embedded one', () => {
  let servers: ComparedServer[] = [];
  let runs: Map<string, Promise<{ seen: unknown; course: StatefulSetCourse }>[]>;

  beforeAll(async () => {
    // A real control plane without storage has nobody who makes volumes.
    const controllers = { 'persistentvolume-provisioner': false };
    servers = await Promise.all([realServer([], 'nodes'), embeddedServer({ controllers })]);
    runs = new Map(
      Object.entries(statefulSetCourses).map(([title, take], index) => [
        title,
        servers.map(async (server) => {
          const course = new StatefulSetCourse(server, `course-${index}`);
          await course.begin();
          await take(course);
          // Of volumes that are alike, either may be taken.
          const areAlike = !title.includes('beside it');
          const seen = (course.seen as Record<string, unknown>[]).map((one) =>
            Object.fromEntries(Object.entries(one).map(([key, value]) => [key, comparable(value, areAlike)])),
          );
          return { seen, course };
        }),
      ]),
    );
    for (const each of runs.values()) for (const run of each) run.catch(() => undefined);
  }, 60_000);

  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.each(Object.keys(statefulSetCourses))(
    '%s',
    async (title) => {
      const [real, embedded] = await Promise.all(runs.get(title) ?? []);
      if (real === undefined || embedded === undefined) throw new Error(`${title} did not run`);
      expect(embedded.seen).toEqual(real.seen);
      const told = async ({ course }: typeof real): Promise<string[]> => [...new Set(await course.events())];
      const expected = await told(embedded);
      let events = await told(real);
      // The real server's controllers send five requests a second for Events once they sent some.
      const deadline = Date.now() + 40_000;
      while (events.length < expected.length && Date.now() < deadline) events = await told(real);
      expect(expected).toEqual(events);
    },
    60_000,
  );
});
