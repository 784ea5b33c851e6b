import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/demo-volume.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: ['./config/samples/storage-class.yaml', './config/samples/demo-volume.yaml'],
});
