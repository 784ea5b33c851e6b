import { rfc3339 } from '@evenkeel/core';
import type { Job, JobStatus } from '@evenkeel/kinds';

export type JobCondition = NonNullable<JobStatus['conditions']>[number];

/** What a Job has come to, and why. */
export type JobFinding = Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>;

export function holds({ status }: Job, type: string): boolean {
  return conditionOf(status, type)?.status === 'True';
}

export function conditionOf(status: JobStatus | undefined, type: string): JobCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** Complete or Failed: nothing more will happen to it. */
export function isFinished(job: Job): boolean {
  return holds(job, 'Complete') || holds(job, 'Failed');
}

/** The first of two conditions of a failure: it stops the Job's pods, and says why the second will come. */
export function failureTarget(reason: string, message: string): JobFinding {
  return { type: 'FailureTarget', status: 'True', reason, message };
}

/** The first of the two conditions of a success. */
export function successCriteriaMet(reason: string, message: string): JobFinding {
  return { type: 'SuccessCriteriaMet', status: 'True', reason, message };
}

/** The condition that ends the Job once its pods are counted and gone. */
export function finalOf({ type, reason, message }: JobFinding): JobFinding {
  const final = type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed';
  return { type: final, status: 'True', ...(reason && { reason }), ...(message && { message }) };
}

/**
 * Sets a condition where it says something new, and tells whether it did. What never was is not said to be false.
 * Source: `ensureJobConditionStatus`, `pkg/controller/job/job_controller.go`.
 */
export function putCondition(status: JobStatus, finding: JobFinding, nowMs: number): boolean {
  const conditions = [...(status.conditions ?? [])];
  const index = conditions.findIndex(({ type }) => type === finding.type);
  const old = conditions[index];
  if (old === undefined && finding.status === 'False') return false;
  const isKnown =
    old?.status === finding.status && old.reason === finding.reason && (old.message ?? '') === (finding.message ?? '');
  if (isKnown) return false;
  const now = rfc3339(new Date(nowMs));
  const condition: JobCondition = { ...finding, lastProbeTime: now, lastTransitionTime: now };
  if (old === undefined) conditions.push(condition);
  else conditions[index] = condition;
  status.conditions = conditions;
  return true;
}
