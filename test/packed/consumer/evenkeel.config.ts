import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({ apis: ['./src/site.ts'], operator: './src/operator.ts' });
