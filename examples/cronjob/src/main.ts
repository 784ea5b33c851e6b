import { Manager } from 'evenkeel';
import { CronJobController } from './cron-job.controller.ts';
import { fields } from './fields.ts';

await Manager.run({ controllers: [CronJobController], fields });
