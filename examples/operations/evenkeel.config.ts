import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/operations.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/web.yaml', './config/samples/operations.yaml'],
});
