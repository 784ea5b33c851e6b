import { Manager } from 'evenkeel';
import { CronJobController } from './cron-job.controller.ts';

await Manager.run({ controllers: [CronJobController] });
