import {
  type AdmissionReview,
  Admit,
  Client,
  ignoreNotFound,
  MutatingWebhook,
  Namespace,
  Rbac,
  ValidatingWebhook,
} from 'evenkeel';
import { CronJob } from './cron-job.ts';
import { parts } from './cron-job-v2.ts';
import { defaultTimeZone, expressionProblem, isTimeZone } from './schedule.ts';

/** The annotation of a Namespace with the default time zone of its CronJobs. */
export const timeZoneAnnotation = 'batch.example.com/time-zone';

/**
 * Sets the default that depends on the cluster; the others are in the CRD. The time zone is stored, so that a later change
 * of the Namespace does not move the starts of existing CronJobs.
 */
@MutatingWebhook(CronJob, {
  // All others can be changed while the operator is down.
  matchConditions: [
    { name: 'without-time-zone', expression: 'has(object.spec) && !has(object.spec.timeZone)' },
    { name: 'new-or-removed', expression: 'oldObject == null || has(oldObject.spec.timeZone)' },
  ],
})
@Rbac(Namespace, ['get'], { reason: 'the time zone of the CronJobs in a Namespace' })
export class CronJobDefaults {
  constructor(private readonly client: Client) {}

  @Admit('create', 'update')
  async setTimeZone({ spec }: CronJob, review: AdmissionReview<CronJob>): Promise<void> {
    const { namespace = '', signal } = review;
    // Not from a cache, which may not have a Namespace that was created together with its CronJobs.
    const found = await ignoreNotFound(this.client.get(Namespace, namespace, { signal }));
    const timeZone = found?.metadata.annotations?.[timeZoneAnnotation] ?? defaultTimeZone;
    if (!isTimeZone(timeZone)) {
      review.deny(
        `the annotation ${timeZoneAnnotation} of the Namespace ${namespace} is ${JSON.stringify(timeZone)}, which is not a time zone; correct it, or set spec.timeZone`,
      );
    }
    spec.timeZone = timeZone;
  }
}

/**
 * Rejects what the CRD cannot check. The controller reports it too, so nothing is lost if a request is accepted while the
 * operator is down.
 */
@ValidatingWebhook(CronJob, { failurePolicy: 'Ignore' })
export class CronJobValidator {
  @Admit('create', 'update')
  checkTimeZone({ spec: { timeZone } }: CronJob, review: AdmissionReview<CronJob>): void {
    if (timeZone === undefined || timeZone === review.oldObject?.spec.timeZone || isTimeZone(timeZone)) return;
    review.invalid('spec.timeZone', timeZone, 'unknown time zone; use an IANA name such as "Europe/Berlin"');
  }

  /** A stored CronJob with an invalid schedule can still be suspended or deleted. */
  @Admit('create', 'update')
  checkSchedule({ spec: { schedule } }: CronJob, review: AdmissionReview<CronJob>): void {
    if (schedule === review.oldObject?.spec.schedule) return;
    const problem = expressionProblem(schedule);
    if (problem === undefined) return;
    const invalid = review.requestKind.version === 'v2' ? invalidParts(schedule) : [];
    for (const { part, value, problem } of invalid) review.invalid(`spec.schedule.${part}`, value, problem);
    if (invalid.length === 0) review.invalid('spec.schedule', schedule, problem);
  }
}

/** Returns the parts that are invalid by themselves: the fields of a client that uses v2. */
function invalidParts(schedule: string): { part: string; value: string; problem: string }[] {
  const values = schedule.split(' ');
  return parts.flatMap((part, index) => {
    const value = values[index] ?? '*';
    const problem = expressionProblem(parts.map((_, at) => (at === index ? value : '*')).join(' '));
    return problem === undefined ? [] : { part, value, problem };
  });
}
