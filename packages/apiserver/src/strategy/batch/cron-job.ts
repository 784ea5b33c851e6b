import type { CronJob } from '@evenkeel/kinds';
import { defineStrategy } from '../define-strategy.ts';
import { templateWarnings } from '../pod/pod-spec-warnings.ts';
import { validateCronJob, validateCronJobUpdate } from './cron-job-validation.ts';
import { defaultJobTemplateSpec } from './job.ts';

/** Sources: `pkg/apis/batch/v1/defaults.go`, `pkg/registry/batch/cronjob/strategy.go`. */
export const cronJobStrategy = defineStrategy<CronJob>({
  default({ spec }) {
    if (spec === undefined) return;
    spec.concurrencyPolicy ||= 'Allow';
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    spec.jobTemplate ??= {};
    spec.jobTemplate.metadata ??= {};
    spec.jobTemplate.spec ??= { template: { spec: { containers: [] } } };
    defaultJobTemplateSpec(spec.jobTemplate.spec);
  },
  prepareForCreate(object) {
    object.status = {};
  },
  validate: validateCronJob,
  validateUpdate: validateCronJobUpdate,
  warnings: templateWarnings(
    ({ spec }) => spec?.jobTemplate?.spec?.template?.spec,
    'spec.jobTemplate.spec.template.spec',
  ),
});
