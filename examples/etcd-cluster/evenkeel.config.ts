import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/etcd-cluster.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/etcd.yaml'],
});
