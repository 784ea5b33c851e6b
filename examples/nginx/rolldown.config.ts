// `npx rolldown --config` makes one file of the operator; docs/own-project.md says what each option is for.
import { defineConfig } from 'rolldown';

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  tsconfig: 'tsconfig.json',
  resolve: { mainFields: ['module', 'main'] },
  external: ['@kubernetes/client-node'],
  output: { file: 'dist/operator.mjs', codeSplitting: false, keepNames: true },
});
