// For commands, and for programs that migrate without a manager.

export { fieldsOnlyIn, schemaOf } from '../fields/stored-schema.ts';
export type { FieldLoss } from './field-losses.ts';
export { defaultQps, type MigrateStorageOptions, migrateStorage } from './migrate-storage.ts';
export type { StorageMigrationProgress, StorageMigrationReport } from './migration-report.ts';
export { listedFailures, type ObjectFailure } from './object-failures.ts';
export { listPage, metadataOf } from './visit-objects.ts';
