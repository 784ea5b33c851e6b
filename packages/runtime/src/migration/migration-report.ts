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
   * some objects could not be rewritten, so `storedVersions` keeps all versions. `dry-run`: nothing was written.
   */
  readonly outcome: 'current' | 'migrated' | 'failed' | 'dry-run';
  /** Who rewrote the objects. `server`: a StorageVersionMigration of the API server, which reports no numbers. */
  readonly by: 'evenkeel' | 'server';
  /** Whether it continued an earlier migration. The numbers include those of the earlier one. */
  readonly resumed: boolean;
  readonly rewritten: number;
  /** Objects that were deleted before their turn. */
  readonly gone: number;
  readonly failed: number;
  /** The first 20 of the failed objects of this run. */
  readonly failures: readonly ObjectFailure[];
}

/** The state of a running migration. */
export interface StorageMigrationProgress {
  readonly definition: string;
  readonly storageVersion: string;
  readonly by: 'evenkeel' | 'server';
  readonly rewritten: number;
  readonly gone: number;
  readonly failed: number;
  /** The number of remaining objects; undefined if the server does not report it. Approximate. */
  readonly remaining: number | undefined;
}
