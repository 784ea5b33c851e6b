import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { embeddedServer, normalise, realServer } from '../comparison.fixture.ts';
import { inOrder, itIsTheSame } from './course.fixture.ts';
import { DeploymentCourse, deploymentCourses } from './deployment-courses.fixture.ts';

interface Seen {
  readonly deployment: { readonly metadata: Record<string, unknown> };
  readonly sets: readonly { readonly metadata: Record<string, unknown> }[];
}

/** Template hashes and names that contain one; the real server's hashes have another length. */
const hash = /(\bweb-|"pod-template-hash":")(?:[bcdfghjklmnpqrstvwxz2456789]{6,10})\b/g;

function comparable({ deployment, sets }: Seen): unknown {
  const plain = (value: { readonly metadata: Record<string, unknown> }): unknown => {
    const { managedFields: _, ...metadata } = value.metadata;
    return inOrder(JSON.parse(JSON.stringify(normalise({ ...value, metadata })).replaceAll(hash, '$1<hash>')));
  };
  const byRevision = sets.toSorted((left, right) => revisionOf(left) - revisionOf(right));
  return { deployment: plain(deployment), sets: byRevision.map(plain) };
}

function revisionOf({ metadata }: Seen['sets'][number]): number {
  return Number((metadata['annotations'] as Record<string, string>)['deployment.kubernetes.io/revision']);
}

describeWithRealServer('Deployments on the real server and on the embedded one', () => {
  itIsTheSame(
    deploymentCourses,
    () => Promise.all([realServer([], 'nodes'), embeddedServer({})]),
    (server, namespace) => new DeploymentCourse(server, namespace),
    (course) => (course.seen as Seen[]).map(comparable),
    async (course) => (await course.events()).map((event) => event.replaceAll(hash, '$1<hash>')),
  );
});
