// `npx rolldown --config` bundles the operator into one file; docs/own-project.md explains the options.
import { defineConfig } from 'rolldown';

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  tsconfig: 'tsconfig.json',
  resolve: { mainFields: ['module', 'main'] },
  external: ['@kubernetes/client-node'],
  output: { file: 'dist/operator.mjs', codeSplitting: false, keepNames: true },
});
