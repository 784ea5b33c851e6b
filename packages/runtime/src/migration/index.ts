// For commands, and for programs that migrate without a manager.

export type { FieldLoss } from './field-losses.ts';
export { defaultQps, type MigrateStorageOptions, migrateStorage } from './migrate-storage.ts';
export type { StorageMigrationProgress, StorageMigrationReport } from './migration-report.ts';
export { listedFailures, type ObjectFailure } from './object-failures.ts';
export { fieldsOnlyIn, schemaOf } from './stored-schema.ts';
export { listPage, metadataOf } from './visit-objects.ts';
