import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/foo.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/foo.yaml'],
  bundle: {
    displayName: 'Foo',
    description: 'Keeps a Deployment with a name that you choose, as the sample-controller of Kubernetes does.',
    provider: { name: 'Evenkeel' },
    maintainers: [{ name: 'The authors of Evenkeel', email: 'evenkeel@example.com' }],
    links: [{ name: 'Documentation', url: 'https://example.com/foo' }],
    icon: './icon.svg',
    categories: ['Developer Tools'],
  },
});
