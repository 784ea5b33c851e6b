import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/memhog.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/memhog.yaml'],
  bundle: {
    displayName: 'MemHog',
    description:
      'Runs a program that needs a given amount of memory, measures it, and recommends how much memory to request.',
    provider: { name: 'Evenkeel' },
    maintainers: [{ name: 'The authors of Evenkeel', email: 'evenkeel@example.com' }],
    links: [{ name: 'Documentation', url: 'https://example.com/memhog' }],
    icon: './icon.svg',
    categories: ['Monitoring'],
  },
});
