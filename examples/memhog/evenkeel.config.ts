import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/memhog.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/memhog.yaml'],
});
