import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/etcd-cluster.ts', './src/etcd-backup.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/etcd.yaml'],
});
