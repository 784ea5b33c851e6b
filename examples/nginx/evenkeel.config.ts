import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/nginx.ts'],
  controllers: ['./src/nginx.controller.ts'],
  fields: './src/fields.ts',
  samples: ['./config/samples/nginx.yaml'],
});
