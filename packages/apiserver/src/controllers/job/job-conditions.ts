import { rfc3339 } from '@evenkeel/core';
import type { Job, JobStatus } from '@evenkeel/kinds';

export type JobCondition = NonNullable<JobStatus['conditions']>[number];

/** The outcome of a Job, with the reason. */
export type JobFinding = Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>;

export function holds({ status }: Job, type: string): boolean {
  return conditionOf(status, type)?.status === 'True';
}

export function conditionOf(status: JobStatus | undefined, type: string): JobCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** Whether a Job is Complete or Failed, which is final. */
export function isFinished(job: Job): boolean {
  return holds(job, 'Complete') || holds(job, 'Failed');
}

/** The first of the two conditions of a failure. The pods are stopped; the second condition follows with the same reason. */
export function failureTarget(reason: string, message: string): JobFinding {
  return { type: 'FailureTarget', status: 'True', reason, message };
}

/** The first of the two conditions of a success. */
export function successCriteriaMet(reason: string, message: string): JobFinding {
  return { type: 'SuccessCriteriaMet', status: 'True', reason, message };
}

/** The terminal condition. It is set when all pods are counted and gone. */
export function finalOf({ type, reason, message }: JobFinding): JobFinding {
  const final = type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed';
  return { type: final, status: 'True', ...(reason && { reason }), ...(message && { message }) };
}

/**
 * Sets a condition if it changes anything, and returns whether it did. A condition that does not exist is not added with
 * status False. Source: `ensureJobConditionStatus`, `pkg/controller/job/job_controller.go`.
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
