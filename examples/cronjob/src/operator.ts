import { defineOperator } from 'evenkeel';
import { CronJobController } from './cron-job.controller.ts';
import { CronJobDefaults, CronJobValidator } from './cron-job.webhooks.ts';
import { CronJobV2 } from './cron-job-v2.ts';

export const operator = defineOperator({
  name: 'example-cronjob',
  controllers: [CronJobController],
  webhooks: [CronJobDefaults, CronJobValidator],
  conversions: [CronJobV2],
});
