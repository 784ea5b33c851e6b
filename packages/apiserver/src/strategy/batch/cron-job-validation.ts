import type { CronJob } from '@evenkeel/kinds';
import { type FieldError, invalid, notSupported, required, shownSelector } from '../../apimachinery/index.ts';
import { validateNonNegative } from '../number-validation.ts';
import { cronScheduleError } from './cron-schedule.ts';
import { validateJobSpec } from './job-validation.ts';

/** Jobs are named after their CronJob and eleven characters more, and a label holds 63. */
const longestName = 52;

/** Source: `ValidateCronJobCreate`, `pkg/apis/batch/validation/validation.go`; the errors in its order. */
export function validateCronJob(object: CronJob): readonly FieldError[] {
  const { metadata } = object;
  const errors = validateSpec(object, undefined);
  if (metadata.name.length > longestName) {
    errors.push(invalid('metadata.name', metadata.name, `must be no more than ${longestName} characters`));
  }
  return errors;
}

export function validateCronJobUpdate(object: CronJob, old: CronJob): readonly FieldError[] {
  return validateSpec(object, old);
}

function validateSpec({ spec }: CronJob, old: CronJob | undefined): FieldError[] {
  const errors = validateSchedule(spec?.schedule ?? '', spec?.timeZone, old?.spec?.schedule ?? '');
  errors.push(...validateNonNegative(spec?.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'));
  if (spec?.timeZone !== old?.spec?.timeZone) errors.push(...validateTimeZone(spec?.timeZone));
  const policy = spec?.concurrencyPolicy ?? '';
  const policies = ['Allow', 'Forbid', 'Replace'];
  if (policy === '') errors.push(required('spec.concurrencyPolicy'));
  else if (!policies.includes(policy)) errors.push(notSupported('spec.concurrencyPolicy', policy, policies));
  const template = spec?.jobTemplate?.spec;
  const path = 'spec.jobTemplate.spec';
  errors.push(...validateJobSpec(template ?? { template: {} }, path));
  if (template?.selector !== undefined) {
    errors.push(invalid(`${path}.selector`, shownSelector(template.selector), '`selector` will be auto-generated'));
  }
  if (template?.manualSelector === true) {
    errors.push(notSupported(`${path}.manualSelector`, true, ['nil', 'false']));
  }
  errors.push(...validateNonNegative(spec?.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'));
  errors.push(...validateNonNegative(spec?.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'));
  return errors;
}

function validateSchedule(schedule: string, timeZone: string | undefined, old: string): FieldError[] {
  const path = 'spec.schedule';
  if (schedule === '') return [required(path)];
  const error = cronScheduleError(schedule);
  const errors = error === undefined ? [] : [invalid(path, schedule, error)];
  if (!schedule.includes('TZ')) return errors;
  if (!old.includes('TZ')) {
    const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    errors.push(invalid(path, schedule, detail));
  } else if (timeZone !== undefined) {
    errors.push(invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
  }
  return errors;
}

function validateTimeZone(zone: string | undefined): FieldError[] {
  const path = 'spec.timeZone';
  if (zone === undefined) return [];
  if (zone === '') return [invalid(path, zone, 'timeZone must be nil or non-empty string')];
  const wellFormed = zone
    .split('/')
    .every((part) => /^[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}$/.test(part) && part !== '.' && part !== '..');
  if (!wellFormed) return [invalid(path, zone, `unknown time zone ${zone}`)];
  if (zone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    const errors = [invalid(path, zone, detail)];
    return zone === 'Local' ? errors : [...errors, invalid(path, zone, `unknown time zone ${zone}`)];
  }
  return isTimeZone(zone) ? [] : [invalid(path, zone, `unknown time zone ${zone}`)];
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
