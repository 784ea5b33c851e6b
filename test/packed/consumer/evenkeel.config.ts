import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({ apis: ['./src/site.ts'], controllers: ['./src/site.controller.ts'] });
