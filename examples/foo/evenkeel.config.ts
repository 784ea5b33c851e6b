import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/foo.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/foo.yaml'],
});
