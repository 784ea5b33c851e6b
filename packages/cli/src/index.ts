export { defineConfig, type EvenkeelConfig } from './config.ts';
export { run } from './run.ts';
export type { Terminal } from './terminal.ts';
