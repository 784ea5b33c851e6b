import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/nginx.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  installer: './config/install.yaml',
  samples: ['./config/samples/nginx.yaml'],
  deployment: { namespace: 'nginx-operator', networkPolicy: true },
});
