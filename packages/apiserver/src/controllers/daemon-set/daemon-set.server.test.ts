import { describeWithRealServer } from '../../../../../test/real-server.fixture.ts';
import { embeddedServer, normalise, realServer } from '../../comparison.fixture.ts';
import { inOrder, itIsTheSame } from '../course.fixture.ts';
import { DaemonSetCourse, daemonSetCourses } from './daemon-set-courses.fixture.ts';

interface Seen {
  readonly metadata: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}

/** Template hashes, the random part of names, and the nodes, which an update selects in a random order. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(inOrder(normalise(value)))
    .replaceAll(/("controller-revision-hash":)"\w+"/g, '$1"<hash>"')
    .replaceAll(/\bagent-[a-z0-9]{5,10}\b/g, 'agent-<hash>')
    .replaceAll(/\b(course-\d+)-[a-c]\b/g, '$1-<node>');
  return JSON.parse(text);
}

/** An object without field managers and addresses; a list in an order that does not depend on names. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable).sort(byText);
  if (typeof value !== 'object' || value === null) return value;
  const { metadata, status, ...rest } = value as Seen;
  if (metadata === undefined) return plain(value);
  const { managedFields: _, ...kept } = metadata;
  const { podIP: _ip, podIPs: _ips, hostIP: _host, hostIPs: _hosts, startTime: _start, ...said } = status ?? {};
  return plain({ ...rest, metadata: kept, ...(status !== undefined && { status: said }) });
}

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}

describeWithRealServer('DaemonSets on the real server and on the embedded one', () => {
  itIsTheSame(
    daemonSetCourses,
    () => Promise.all([realServer([], 'nodes'), embeddedServer({})]),
    (server, namespace) => new DaemonSetCourse(server, namespace),
    ({ seen }) =>
      (seen as Record<string, unknown>[]).map((one) =>
        Object.fromEntries(Object.entries(one).map(([key, value]) => [key, comparable(value)])),
      ),
    eventsOf,
  );
});

/** Each Event once, because the real server merges repeated ones, and later combines all those of rejected pods. */
async function eventsOf(course: DaemonSetCourse): Promise<string[]> {
  const events = [...new Set((await course.events()).map((event) => plain(event) as string))];
  return events.filter((event) => !event.includes('(combined from similar events)'));
}
