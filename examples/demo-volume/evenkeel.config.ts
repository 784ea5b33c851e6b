import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/demo-volume.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/storage-class.yaml', './config/samples/demo-volume.yaml'],
  bundle: {
    displayName: 'Demo volume',
    description:
      'Keeps PersistentVolumeClaims that can grow, and whose data can outlive the objects that asked for them.',
    provider: { name: 'Evenkeel' },
    maintainers: [{ name: 'The authors of Evenkeel', email: 'evenkeel@example.com' }],
    links: [{ name: 'Documentation', url: 'https://example.com/demo-volume' }],
    icon: './icon.svg',
    categories: ['Storage'],
  },
});
