import type { Job, ObjectReference } from 'evenkeel';
import type { CronJob } from './cron-job.ts';

/** On each Job, the time of the schedule that it was started for. */
const scheduledAtAnnotation = 'batch.example.com/scheduled-at';

/**
 * The Job of one start. Its name follows from the start, so that whoever starts it a second time, after a crash or with an
 * old cache, finds it there and makes no other.
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

/** The start that a Job was made for; undefined where somebody has spoilt the annotation. */
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

/** For sorting: the latest start first. */
export function latestFirst(one: Job, other: Job): number {
  return (startOf(other)?.getTime() ?? 0) - (startOf(one)?.getTime() ?? 0);
}

export function referenceTo({ metadata: { name, namespace, uid } }: Job): ObjectReference {
  return { apiVersion: 'batch/v1', kind: 'Job', name, ...(namespace && { namespace }), ...(uid && { uid }) };
}

/** As Kubernetes writes times: without parts of a second. */
export function timestamp(time: Date): string {
  return `${time.toISOString().slice(0, -'.000Z'.length)}Z`;
}
