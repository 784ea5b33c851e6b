import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/operations.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/web.yaml', './config/samples/operations.yaml'],
  bundle: {
    displayName: 'Operations',
    description:
      'Restarts, upgrades and backs up Deployments by objects that run once, with progress and cancellation.',
    provider: { name: 'Evenkeel' },
    maintainers: [{ name: 'The authors of Evenkeel', email: 'evenkeel@example.com' }],
    links: [{ name: 'Documentation', url: 'https://example.com/operations' }],
    icon: './icon.svg',
    categories: ['Developer Tools'],
  },
});
