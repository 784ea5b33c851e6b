import type { Job } from '@evenkeel/kinds';
import type { EmbeddedController } from '../controller.ts';
import { keyOf, splitKey } from '../controller-reference.ts';
import { KeyedSync } from '../keyed-sync.ts';
import { conditionOf, holds } from './job-conditions.ts';

const jobs = { group: 'batch', plural: 'jobs' };

/**
 * Deletes a Job and its pods once it has been finished for `spec.ttlSecondsAfterFinished`.
 * Source: `pkg/controller/ttlafterfinished/ttlafterfinished_controller.go`.
 */
export const ttlAfterFinishedController: EmbeddedController = {
  name: 'ttl-after-finished-controller',
  start(context) {
    const { client, clock } = context;
    const sync: KeyedSync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const job = client.get<Job>(jobs, namespace, name);
      const dueMs = job === undefined ? undefined : expiryMs(job);
      if (job === undefined || dueMs === undefined) return;
      const leftMs = dueMs - clock.now();
      if (leftMs > 0) {
        sync.addAfter(key, leftMs);
        return;
      }
      await client.delete(jobs, namespace, name, {
        propagationPolicy: 'Foreground',
        ...(job.metadata.uid === undefined ? {} : { preconditions: { uid: job.metadata.uid } }),
      });
    });
    const stop = client.watch<Job>(jobs, ({ type, object }) => {
      if (type !== 'DELETED' && expiryMs(object) !== undefined) sync.add(keyOf(object));
    });
    return () => {
      stop();
      sync.stop();
    };
  },
};

/** Undefined if the Job is not finished, is already being deleted, or has no TTL. */
function expiryMs(job: Job): number | undefined {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  if (seconds === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
  const type = ['Complete', 'Failed'].find((one) => holds(job, one));
  const since = type === undefined ? undefined : conditionOf(job.status, type)?.lastTransitionTime;
  return since ? Date.parse(since) + seconds * 1000 : undefined;
}
