import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/memcached.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/memcached.yaml'],
  deployment: { env: { MEMCACHED_IMAGE: 'memcached:1.6.39-alpine' } },
  bundle: {
    displayName: 'Memcached',
    description:
      'Runs memcached servers: a Deployment of equal pods without storage, which it upgrades to the image of the operator.',
    provider: { name: 'Evenkeel' },
    maintainers: [{ name: 'The authors of Evenkeel', email: 'evenkeel@example.com' }],
    links: [{ name: 'Documentation', url: 'https://example.com/memcached' }],
    icon: './icon.svg',
    categories: ['Database'],
    capabilities: 'Seamless Upgrades',
  },
});
