import type { FieldLoss } from './field-losses.ts';
import type { ObjectFailure } from './object-failures.ts';

/** The result of a migration. */
export interface StorageMigrationReport {
  /** The name of the CRD. */
  readonly definition: string;
  readonly kind: string;
  readonly storageVersion: string;
  /** `status.storedVersions` of the CRD before and after. */
  readonly storedVersions: { readonly before: readonly string[]; readonly after: readonly string[] };
  /**
   * `current`: all objects were stored in the storage version already, so nothing was done. `migrated`: they are now. `failed`:
   * some objects could not be rewritten, so `storedVersions` keeps all versions. `dry-run`: nothing was written. `refused`: nothing
   * was written, because objects would lose fields, or could not be checked for that, and `allowDataLoss` is not set.
   */
  readonly outcome: 'current' | 'migrated' | 'failed' | 'dry-run' | 'refused';
  /** Who rewrote the objects. `server`: a StorageVersionMigration of the API server, which reports no numbers. */
  readonly by: 'evenkeel' | 'server';
  /** Whether it continued an earlier migration. The numbers include those of the earlier one. */
  readonly resumed: boolean;
  readonly rewritten: number;
  /** Objects that were deleted before their turn. */
  readonly gone: number;
  readonly failed: number;
  /** The first 20 of the failed objects of this run. If the migration was refused, those of the objects that could not be checked. */
  readonly failures: readonly ObjectFailure[];
  /** The fields that objects lose, also if that is allowed. Empty if an earlier run has migrated these objects. */
  readonly losses: readonly FieldLoss[];
  /** The number of objects that could not be checked for fields that they lose. */
  readonly unchecked: number;
}

/** The state of a running migration. */
export interface StorageMigrationProgress {
  readonly definition: string;
  readonly storageVersion: string;
  readonly by: 'evenkeel' | 'server';
  /** The number of objects that were checked for fields that they lose. The check comes before the first write. */
  readonly checked: number;
  readonly rewritten: number;
  readonly gone: number;
  readonly failed: number;
  /** The number of remaining objects; undefined if the server does not report it. Approximate. */
  readonly remaining: number | undefined;
}
