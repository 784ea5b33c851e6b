import { defineOperator } from 'evenkeel';
import { CronJobController } from './cron-job.controller.ts';

export const operator = defineOperator({ name: 'example-cronjob', controllers: [CronJobController] });
