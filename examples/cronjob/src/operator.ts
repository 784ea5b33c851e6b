import { defineOperator } from 'evenkeel';
import { CronJobController } from './cron-job.controller.ts';
import { CronJobV2 } from './cron-job-v2.ts';

export const operator = defineOperator({
  name: 'example-cronjob',
  controllers: [CronJobController],
  conversions: [CronJobV2],
});
