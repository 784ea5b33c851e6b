import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/memcached.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  rbac: { serviceAccount: 'caches' },
  samples: ['./samples/memcached.yaml'],
});
