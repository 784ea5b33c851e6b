import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/greeting.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/greeting.yaml'],
});
