import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/greeting.ts'],
  controllers: ['./src/greeting.controller.ts'],
  services: ['./src/dictionary.ts'],
  fields: './src/fields.ts',
  samples: ['./config/samples/greeting.yaml'],
});
