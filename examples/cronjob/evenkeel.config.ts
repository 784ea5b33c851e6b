import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/cron-job.ts'],
  controllers: ['./src/cron-job.controller.ts'],
  fields: './src/fields.ts',
  samples: ['./config/samples/hello.yaml'],
});
