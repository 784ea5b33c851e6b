import { describeWithRealServer } from '../../../../../test/real-server.fixture.ts';
import { embeddedServer, normalise, realServer } from '../../comparison.fixture.ts';
import { inOrder, itIsTheSame } from '../course.fixture.ts';
import { JobCourse, jobCourses } from './job-courses.fixture.ts';

type Seen = Record<string, unknown> & { metadata: Record<string, unknown>; status: Record<string, unknown> };

/** The parts of a recorded scenario that must be equal on both servers. */
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

/** kwok uses other addresses, sets start times, and leaves a finished pod ready, unlike a kubelet. */
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
  itIsTheSame(
    jobCourses,
    () => Promise.all([realServer([], 'nodes'), embeddedServer({})]),
    (server, namespace) => new JobCourse(server, namespace),
    ({ seen }) => comparable(seen),
    eventsOf,
  );
});

/** Each Event once, because the real server merges repeated ones. Rejected creations differ only in the pod's name. */
async function eventsOf(course: JobCourse): Promise<string[]> {
  const events = [...new Set(await course.events())].map((text) =>
    text.replace(/generated-(?:\d+-)?[a-z0-9]{5}/, '<pod>'),
  );
  return events.filter((text, index) => !text.includes(' FailedCreate: ') || events.indexOf(text) === index);
}
