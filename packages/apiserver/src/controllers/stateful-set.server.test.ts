import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { embeddedServer, normalise, realServer } from '../comparison.fixture.ts';
import { inOrder, itIsTheSame } from './course.fixture.ts';
import { StatefulSetCourse, statefulSetCourses } from './stateful-set-courses.fixture.ts';

interface Seen {
  readonly metadata: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}

/** The parts of an object that must be equal on both servers: no times, addresses, template hashes or field managers. */
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

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}

/**
 * Each Event once. The real controller updates a claim from its cache. If the cache is stale, the write fails now and then,
 * and the controller reports a failed and a successful update instead of the creation of the pod.
 */
function withoutLateClaims(told: readonly string[]): string[] {
  const late = /^Warning FailedUpdate: Update Pod (\S+) in .*could not update claim .*: Operation cannot be fulfilled/;
  const pods = told.flatMap((event) => late.exec(event)?.[1] ?? []);
  const asCreated = told.map((event) => {
    const pod = /^Normal SuccessfulUpdate: Update Pod (\S+) /.exec(event)?.[1] ?? '';
    return pods.includes(pod) ? event.replace('SuccessfulUpdate: Update', 'SuccessfulCreate: Create') : event;
  });
  return [...new Set(asCreated.filter((event) => !late.test(event)))];
}

describeWithRealServer('StatefulSets on the real server and on the embedded one', () => {
  // A real control plane without storage has no provisioner.
  const controllers = { 'persistentvolume-provisioner': false };
  itIsTheSame(
    statefulSetCourses,
    () => Promise.all([realServer([], 'nodes'), embeddedServer({ controllers })]),
    (server, namespace) => new StatefulSetCourse(server, namespace),
    (course, title) => {
      // Either of two equal volumes may be bound.
      const areAlike = !title.includes('outside of the set');
      return (course.seen as Record<string, unknown>[]).map((one) =>
        Object.fromEntries(Object.entries(one).map(([key, value]) => [key, comparable(value, areAlike)])),
      );
    },
    async (course) => withoutLateClaims(await course.events()),
  );
});
