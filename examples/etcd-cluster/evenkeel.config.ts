import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/etcd-cluster.ts', './src/etcd-backup.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/etcd.yaml'],
  bundle: {
    displayName: 'etcd cluster',
    description:
      'Runs etcd clusters: adds, upgrades and replaces members one at a time, and stores and restores snapshots.',
    provider: { name: 'Evenkeel' },
    maintainers: [{ name: 'The authors of Evenkeel', email: 'evenkeel@example.com' }],
    links: [{ name: 'Documentation', url: 'https://example.com/etcd-cluster' }],
    icon: './icon.svg',
    categories: ['Database'],
  },
});
