import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/memcached.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/memcached.yaml'],
  deployment: { env: { MEMCACHED_IMAGE: 'memcached:1.6.39-alpine' } },
});
