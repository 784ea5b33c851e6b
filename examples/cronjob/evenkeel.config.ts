import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/cron-job.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/hello.yaml'],
});
