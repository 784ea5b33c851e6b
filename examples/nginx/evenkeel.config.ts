import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/nginx.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  installer: './config/install.yaml',
  samples: ['./config/samples/nginx.yaml'],
  deployment: { namespace: 'nginx-operator', networkPolicy: true },
  bundle: {
    displayName: 'Nginx',
    description:
      'Runs nginx web servers: a Deployment with the pages of a ConfigMap, and a Service that makes it reachable.',
    provider: { name: 'Evenkeel' },
    maintainers: [{ name: 'The authors of Evenkeel', email: 'evenkeel@example.com' }],
    links: [{ name: 'Documentation', url: 'https://example.com/nginx' }],
    icon: './icon.svg',
    categories: ['Networking'],
    images: { nginx: 'nginx:1.29' },
  },
});
