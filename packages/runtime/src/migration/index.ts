// For commands, and for programs that migrate without a manager.

export { defaultQps, type MigrateStorageOptions, migrateStorage } from './migrate-storage.ts';
export type { StorageMigrationProgress, StorageMigrationReport } from './migration-report.ts';
export { listedFailures, type ObjectFailure } from './object-failures.ts';
export { listPage, metadataOf } from './rewrite-objects.ts';
