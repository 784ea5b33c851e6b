import type { CronJob, Job } from '@evenkeel/kinds';
import type { EmbeddedController } from '../controller.ts';
import { controllerOf, keyOf, splitKey } from '../controller-reference.ts';
import { EventWriter } from '../event-writer.ts';
import { KeyedSync } from '../keyed-sync.ts';
import { CronJobSync } from './cron-job-sync.ts';

const cronJobs = { group: 'batch', plural: 'cronjobs' };
const jobs = { group: 'batch', plural: 'jobs' };

/**
 * Creates the Jobs of a CronJob at the times of its schedule, as kube-controller-manager does. A schedule without
 * `spec.timeZone` is in UTC, whatever the time zone of the process.
 */
export const cronJobController: EmbeddedController = {
  name: 'cronjob-controller',
  start(context) {
    const { client, clock } = context;
    const cronJobSync = new CronJobSync(client, clock, new EventWriter(client, clock, 'cronjob-controller'));
    const sync: KeyedSync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const cronJob = client.get<CronJob>(cronJobs, namespace, name);
      if (cronJob === undefined) return;
      const againMs = await cronJobSync.run(cronJob);
      if (againMs !== undefined) sync.addAfter(key, againMs);
    });
    const stops = [
      client.watch<CronJob>(cronJobs, ({ type, object, old }) => {
        if (type === 'DELETED') cronJobSync.forget(object);
        const isRescheduled =
          old !== undefined &&
          (old.spec?.schedule !== object.spec?.schedule || old.spec?.timeZone !== object.spec?.timeZone);
        // A start that the new schedule would have had before is not made up for (`updateCronJob`).
        const againMs = isRescheduled ? cronJobSync.untilNextStartMs(object) : undefined;
        if (againMs === undefined) sync.add(keyOf(object));
        else sync.addAfter(keyOf(object), againMs);
      }),
      client.watch<Job>(jobs, ({ object, old }) => {
        for (const job of [object, old]) {
          const owner = job === undefined ? undefined : controllerOf(job);
          if (owner?.kind === 'CronJob') sync.add(`${object.metadata.namespace ?? ''}/${owner.name}`);
        }
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
    };
  },
};
