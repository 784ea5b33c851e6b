import type { Job, Pod } from '@evenkeel/kinds';
import type { ControllerContext, EmbeddedController } from '../controller.ts';
import { controllerOf, isControlledBy, keyOf, splitKey } from '../controller-reference.ts';
import { EventWriter } from '../event-writer.ts';
import { KeyedSync } from '../keyed-sync.ts';
import { isFinished } from './job-conditions.ts';
import { isTracked, selectsPod } from './job-pod.ts';
import { JobPods } from './job-pods.ts';
import { JobSync } from './job-sync.ts';

const jobs = { group: 'batch', plural: 'jobs' };
const pods = { group: '', plural: 'pods' };

/** The value of `spec.managedBy` that selects this controller. */
const ownName = 'kubernetes.io/job-controller';

/**
 * Runs the pods of a Job until enough have succeeded or too many have failed, as kube-controller-manager's Job controller
 * does. It counts each pod once: a finalizer keeps a finished pod until the Job's status includes it. Upstream waits a
 * second to batch changes of pods; this controller acts at once.
 */
export const jobController: EmbeddedController = {
  name: 'job-controller',
  start(context) {
    const { client, clock } = context;
    const events = new EventWriter(client, clock, 'job-controller');
    const jobPods = new JobPods(client, events);
    const jobSync = new JobSync(client, clock, events, jobPods);
    const sync: KeyedSync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const job = client.get<Job>(jobs, namespace, name);
      if (job?.spec === undefined || isManagedElsewhere(job)) return;
      const againMs = await jobSync.run(job, job.spec);
      if (againMs !== undefined) sync.addAfter(key, againMs);
    });
    // If the Job is deleted or finished, no sync counts its remaining pods.
    const orphans = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const pod = client.get<Pod>(pods, namespace, name);
      if (pod !== undefined && isTracked(pod) && isUnattended(context, pod)) await jobPods.untrack(pod);
    });
    const stops = [
      client.watch<Job>(jobs, ({ type, object }) => {
        if (type === 'DELETED') jobSync.forget(object);
        else sync.add(keyOf(object));
        if (type !== 'DELETED' && !isFinished(object)) return;
        for (const pod of client.list<Pod>(pods, object.metadata.namespace)) {
          if (isTracked(pod) && isControlledBy(pod, object)) orphans.add(keyOf(pod));
        }
      }),
      client.watch<Pod>(pods, ({ object, old }) => {
        if (isTracked(object) && isUnattended(context, object)) orphans.add(keyOf(object));
        for (const pod of [object, old]) {
          if (pod === undefined) continue;
          const owner = controllerOf(pod);
          if (owner?.kind === 'Job') sync.add(`${pod.metadata.namespace ?? ''}/${owner.name}`);
          else if (owner === undefined) for (const key of matchingJobs(context, pod)) sync.add(key);
        }
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
      orphans.stop();
    };
  },
};

function isManagedElsewhere({ spec }: Job): boolean {
  return spec?.managedBy !== undefined && spec.managedBy !== ownName;
}

function isUnattended({ client }: ControllerContext, pod: Pod): boolean {
  const owner = controllerOf(pod);
  if (owner === undefined) return true;
  if (owner.kind !== 'Job' || owner.apiVersion !== 'batch/v1') return false;
  const job = client.get<Job>(jobs, pod.metadata.namespace, owner.name);
  if (job === undefined || job.metadata.uid !== owner.uid) return true;
  return isFinished(job) && !isManagedElsewhere(job);
}

function matchingJobs({ client }: ControllerContext, pod: Pod): string[] {
  return client
    .list<Job>(jobs, pod.metadata.namespace)
    .filter((job) => selectsPod(job, pod))
    .map(keyOf);
}
