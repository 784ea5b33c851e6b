export { defineConfig, type EvenkeelConfig } from './config.ts';
export type { GenerateReport } from './generate/report.ts';
export type { MigrateReport } from './migrate/migrate.ts';
export type { CommandDocument, DocumentFinding } from './report/command-document.ts';
export { run } from './run.ts';
export type { Terminal } from './terminal.ts';
export type { VersionsReport } from './versions/versions.ts';
