export { defineConfig, type EvenkeelConfig } from './config.ts';
export type { GenerateReport } from './generate/report.ts';
export { run } from './run.ts';
export type { Terminal } from './terminal.ts';
