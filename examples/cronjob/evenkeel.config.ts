import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/cron-job.ts', './src/cron-job-v2.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  conversionTest: './src/conversion.test.ts',
  samples: ['./config/samples/hello.yaml'],
  bundle: {
    displayName: 'CronJob',
    description: 'Runs Jobs on a schedule in a time zone, and keeps a limited history of those that have finished.',
    provider: { name: 'Evenkeel' },
    maintainers: [{ name: 'The authors of Evenkeel', email: 'evenkeel@example.com' }],
    links: [{ name: 'Documentation', url: 'https://example.com/cronjob' }],
    icon: './icon.svg',
    categories: ['Developer Tools'],
  },
});
