import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/cron-job.ts', './src/cron-job-v2.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  conversionTest: './src/conversion.test.ts',
  samples: ['./config/samples/hello.yaml'],
});
