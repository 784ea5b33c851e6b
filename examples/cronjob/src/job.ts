import type { Job, ObjectReference } from 'evenkeel';
import type { CronJob } from './cron-job.ts';

/** The annotation of each Job with its time in the schedule. */
const scheduledAtAnnotation = 'batch.example.com/scheduled-at';

/**
 * Returns the Job of a start. Its name is derived from the start, so that a second attempt, after a crash or with a
 * stale cache, does not create another Job.
 */
export function jobFor({ metadata, spec: { jobTemplate } }: CronJob, start: Date): Job {
  const minute = Math.floor(start.getTime() / 60_000);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${metadata.name}-${minute}`,
      labels: { ...jobTemplate.metadata?.labels },
      annotations: { ...jobTemplate.metadata?.annotations, [scheduledAtAnnotation]: timestamp(start) },
    },
    ...(jobTemplate.spec && { spec: jobTemplate.spec }),
  };
}

/** Returns the start of a Job; undefined if its annotation is invalid. */
export function startOf({ metadata }: Job): Date | undefined {
  const start = new Date(metadata.annotations?.[scheduledAtAnnotation] ?? '');
  return Number.isNaN(start.getTime()) ? undefined : start;
}

export function isRunning(job: Job): boolean {
  return !hasEnded(job, 'Complete') && !hasEnded(job, 'Failed');
}

export function hasEnded({ status }: Job, how: 'Complete' | 'Failed'): boolean {
  return status?.conditions?.some((condition) => condition.type === how && condition.status === 'True') === true;
}

/** Compares Jobs: the latest start first. */
export function latestFirst(one: Job, other: Job): number {
  return (startOf(other)?.getTime() ?? 0) - (startOf(one)?.getTime() ?? 0);
}

export function referenceTo({ metadata: { name, namespace, uid } }: Job): ObjectReference {
  return { apiVersion: 'batch/v1', kind: 'Job', name, ...(namespace && { namespace }), ...(uid && { uid }) };
}

/** Formats a time as Kubernetes does: without fractions of a second. */
export function timestamp(time: Date): string {
  return `${time.toISOString().slice(0, -'.000Z'.length)}Z`;
}
