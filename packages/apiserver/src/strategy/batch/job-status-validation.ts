import type { Job, JobStatus } from '@evenkeel/kinds';
import { duplicate, type FieldError, GoStruct, invalid, jsonEqual, required } from '../../apimachinery/index.ts';
import { validateNonNegative } from '../number-validation.ts';
import { indexesProblem, sharedIndex } from './job-index-validation.ts';

/**
 * What a status may say, and how it may go on from the one before. Most rules look only at what the update changes, so
 * that a status which was wrong before can be written on.
 * Sources: `ValidateJobStatusUpdate`, `pkg/apis/batch/validation/validation.go`; `getStatusValidationOptions`,
 * `pkg/registry/batch/job/strategy.go`.
 */
export function validateJobStatusUpdate(object: Job, old: Job): readonly FieldError[] {
  const status = object.status ?? {};
  const before = old.status ?? {};
  return [
    ...validateCounts(status),
    ...validateConditions(status, before),
    ...validateEnd(status, before),
    ...validateIndexes(object, before),
    ...validatePods(status, before),
    ...validateSuccess(object),
    ...validateProgress(object, old),
  ];
}

function holds({ conditions }: JobStatus, ...types: string[]): boolean {
  return (conditions ?? []).some(({ type, status }) => types.includes(type) && status === 'True');
}

/** Whether a condition holds in one of two statuses and not in the other. */
function turned(status: JobStatus, before: JobStatus, ...types: string[]): boolean {
  return holds(status, ...types) !== holds(before, ...types);
}

function validateCounts(status: JobStatus): FieldError[] {
  const errors = (['active', 'succeeded', 'failed', 'ready', 'terminating'] as const).flatMap((field) =>
    validateNonNegative(status[field], `status.${field}`),
  );
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (status.uncountedTerminatedPods?.[list] ?? []).entries()) {
      const path = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') errors.push(invalid(path, uid, 'must not be empty'));
      else if (seen.has(uid)) errors.push(duplicate(path, uid));
      seen.add(uid);
    }
  }
  return errors;
}

const conditionsError = (detail: string): FieldError => invalid('status.conditions', undefined, detail);

function validateConditions(status: JobStatus, before: JobStatus): FieldError[] {
  const errors: FieldError[] = [];
  const isComplete = holds(status, 'Complete');
  const { startTime, completionTime } = status;
  const isStartChanged = startTime !== before.startTime;
  const isEndChanged = completionTime !== before.completionTime;
  const completes = turned(status, before, 'Complete');
  const fails = turned(status, before, 'Failed');
  if ((completes || fails) && isComplete && holds(status, 'Failed')) {
    errors.push(conditionsError('cannot set Complete=True and Failed=true conditions'));
  }
  if ((completes || turned(status, before, 'FailureTarget')) && isComplete && holds(status, 'FailureTarget')) {
    errors.push(conditionsError('cannot set Complete=True and FailureTarget=true conditions'));
  }
  if ((completes || isEndChanged) && completionTime !== undefined && !isComplete) {
    const detail = 'cannot set completionTime when there is no Complete=True condition';
    errors.push(invalid('status.completionTime', completionTime, detail));
  }
  if ((completes || isEndChanged) && completionTime === undefined && isComplete) {
    errors.push(required('status.completionTime', 'completionTime is required for Complete jobs'));
  }
  if ((isStartChanged || isEndChanged) && Date.parse(completionTime ?? '') < Date.parse(startTime ?? '')) {
    errors.push(invalid('status.completionTime', completionTime, 'must be equal to or after `startTime`'));
  }
  if (fails && holds(status, 'Failed') && !holds(status, 'FailureTarget')) {
    errors.push(conditionsError('cannot set Failed=True condition without the FailureTarget=true condition'));
  }
  const meets = turned(status, before, 'SuccessCriteriaMet');
  if ((completes || meets) && isComplete && !holds(status, 'SuccessCriteriaMet')) {
    errors.push(conditionsError('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'));
  }
  return errors;
}

/** Of a Job that has ended. */
function validateEnd(status: JobStatus, before: JobStatus): FieldError[] {
  if (!holds(status, 'Complete', 'Failed')) return [];
  const errors: FieldError[] = [];
  const ends = turned(status, before, 'Complete', 'Failed');
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = status;
  if ((ends || active !== (before.active ?? 0)) && active > 0) {
    errors.push(invalid('status.active', active, 'active>0 is invalid for finished job'));
  }
  if ((ends || startTime !== before.startTime) && startTime === undefined) {
    errors.push(required('status.startTime', 'startTime is required for finished job'));
  }
  const { succeeded = [], failed = [] } = uncounted ?? {};
  const isListChanged = !jsonEqual(uncounted, before.uncountedTerminatedPods);
  if ((ends || isListChanged) && succeeded.length + failed.length > 0) {
    const shown = new GoStruct({
      Succeeded: succeeded.length > 0 ? succeeded : null,
      Failed: failed.length > 0 ? failed : null,
    });
    errors.push(invalid('status.uncountedTerminatedPods', shown, 'must be empty for finished job'));
  }
  return errors;
}

function validateIndexes({ spec, status = {} }: Job, before: JobStatus): FieldError[] {
  const { completedIndexes = '', failedIndexes } = status;
  const completions = spec?.completions;
  const errors: FieldError[] = [];
  const isCompletedChanged = completedIndexes !== (before.completedIndexes ?? '');
  const isFailedChanged = failedIndexes !== before.failedIndexes;
  const check = (field: 'completedIndexes' | 'failedIndexes', text: string): void => {
    const problem = completions === undefined ? undefined : indexesProblem(text, completions).problem;
    if (problem !== undefined) errors.push(invalid(`status.${field}`, text, `error parsing ${field}: ${problem}`));
  };
  if (isCompletedChanged) check('completedIndexes', completedIndexes);
  if (isFailedChanged && spec?.backoffLimitPerIndex !== undefined && failedIndexes !== undefined) {
    check('failedIndexes', failedIndexes);
  }
  if (isCompletedChanged && completedIndexes !== '' && spec?.completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    errors.push(invalid('status.completedIndexes', completedIndexes, detail));
  }
  if (isFailedChanged && failedIndexes !== undefined && spec?.backoffLimitPerIndex === undefined) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    errors.push(invalid('status.failedIndexes', failedIndexes, detail));
  }
  if ((isCompletedChanged || isFailedChanged) && completions !== undefined && failedIndexes !== undefined) {
    const shared = sharedIndex(completedIndexes, failedIndexes, completions);
    if (shared !== undefined) {
      const detail = `failedIndexes and completedIndexes overlap at index: ${shared}`;
      errors.push(invalid('status.failedIndexes', failedIndexes, detail));
    }
  }
  return errors;
}

function validatePods(status: JobStatus, before: JobStatus): FieldError[] {
  const errors: FieldError[] = [];
  const { active = 0, ready = 0, terminating = 0 } = status;
  const ends = turned(status, before, 'Complete', 'Failed');
  if ((ends || terminating !== before.terminating) && terminating > 0 && holds(status, 'Complete', 'Failed')) {
    errors.push(invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job'));
  }
  const isChanged = ready !== before.ready || active !== (before.active ?? 0);
  if (isChanged && ready > active) {
    errors.push(invalid('status.ready', ready, 'cannot set more ready pods than active'));
  }
  return errors;
}

function validateSuccess({ spec, status = {} }: Job): FieldError[] {
  const errors: FieldError[] = [];
  const isMet = holds(status, 'SuccessCriteriaMet');
  if (isMet && holds(status, 'Failed')) {
    errors.push(conditionsError('cannot set SuccessCriteriaMet=True and Failed=true conditions'));
  }
  if (isMet && holds(status, 'FailureTarget')) {
    errors.push(conditionsError('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'));
  }
  if (spec?.successPolicy !== undefined && !isMet && holds(status, 'Complete')) {
    const detail = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True';
    errors.push(conditionsError(detail));
  }
  return errors;
}

/** What must not go back. */
function validateProgress({ spec, status = {} }: Job, { status: before = {} }: Job): FieldError[] {
  const errors: FieldError[] = [];
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (holds(before, type) && !holds(status, type)) {
      errors.push(conditionsError(`cannot disable the terminal ${type}=True condition`));
    }
  }
  if ((status.failed ?? 0) < (before.failed ?? 0)) {
    errors.push(invalid('status.failed', status.failed ?? 0, 'cannot decrease the failed counter'));
  }
  // An Indexed Job as wide as it is long may be made smaller.
  const mayShrink = spec?.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  if (!mayShrink && (status.succeeded ?? 0) < (before.succeeded ?? 0)) {
    errors.push(invalid('status.succeeded', status.succeeded ?? 0, 'cannot decrease the succeeded counter'));
  }
  const { completionTime, startTime } = status;
  if (completionTime !== undefined && before.completionTime !== undefined && completionTime !== before.completionTime) {
    errors.push(invalid('status.completionTime', completionTime, 'field is immutable'));
  }
  if (before.startTime !== undefined && startTime !== before.startTime && spec?.suspend !== true) {
    const detail = 'field is immutable for unsuspended job once set';
    errors.push(invalid('status.startTime', startTime ?? null, detail));
  }
  if (holds(before, 'SuccessCriteriaMet') && !holds(status, 'SuccessCriteriaMet')) {
    errors.push(conditionsError('cannot disable the SuccessCriteriaMet=True condition'));
  }
  if (holds(before, 'Complete') && !holds(before, 'SuccessCriteriaMet') && holds(status, 'SuccessCriteriaMet')) {
    const detail = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions';
    errors.push(conditionsError(detail));
  }
  return errors;
}
