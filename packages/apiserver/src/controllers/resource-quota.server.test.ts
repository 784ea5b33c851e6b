import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { embeddedServer, normalise, realServer } from '../comparison.fixture.ts';
import { inOrder, itIsTheSame } from './course.fixture.ts';
import { QuotaCourse, quotaCourses } from './resource-quota-courses.fixture.ts';

/** Names of generated Pods, and of ReplicaSets with the hash of a template. */
const generated = /\bweb-(?:[bcdfghjklmnpqrstvwxz2456789]{6,10}(?:-[a-z0-9]{5})?|[bcdfghjklmnpqrstvwxz2456789]{5})\b/g;

function comparable({ seen }: QuotaCourse): unknown {
  return inOrder(JSON.parse(JSON.stringify(normalise(seen)).replaceAll(generated, 'web-<random>')));
}

/** Each attempt to create a Pod has another name, and its own Event; the embedded server reports the first. */
async function eventsOf(course: QuotaCourse): Promise<string[]> {
  const events = (await course.events()).map((text) => text.replaceAll(generated, 'web-<random>'));
  return [...new Set(events)].filter((text) => !text.includes('(combined from similar events)')).sort();
}

describeWithRealServer('ResourceQuotas on the real server and on the embedded one', () => {
  itIsTheSame(
    quotaCourses,
    // Without nodes, Pods stay pending on both.
    () =>
      Promise.all([
        realServer([], 'controllers'),
        embeddedServer({ controllers: { scheduler: false, kubelet: false } }),
      ]),
    (server, namespace) => new QuotaCourse(server, namespace),
    comparable,
    eventsOf,
  );
});
