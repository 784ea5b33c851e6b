// Made by "evenkeel generate" from the classes of the API: change those, not this.

import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { verifyConversion } from '@evenkeel/testing';
import { describe, it } from '@jest/globals';
import { CronJob } from './cron-job.ts';
import { CronJobV2 } from './cron-job-v2.ts';

const modules = [new URL('./cron-job.ts', import.meta.url).href, new URL('./cron-job-v2.ts', import.meta.url).href];

describe('the conversion of CronJob', () => {
  const definition = async () =>
    customResourceDefinitionOf([CronJob, CronJobV2], { sources: await readSources(modules) });

  it('loses nothing between v2 and v1', async () => {
    verifyConversion(await definition(), CronJobV2);
  }, 60_000);
});
