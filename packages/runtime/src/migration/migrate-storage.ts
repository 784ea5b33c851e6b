import type { Client } from '@evenkeel/client';
import { type Clock, EvenkeelError, SystemClock } from '@evenkeel/core';
import { checkPermissions } from './check-permissions.ts';
import { type FieldLosses, findFieldLosses, mayLoseFields } from './field-losses.ts';
import { type MigratedDefinition, readDefinition } from './migrated-definition.ts';
import { savedProgress, saveProgress } from './migration-progress.ts';
import type { StorageMigrationProgress, StorageMigrationReport } from './migration-report.ts';
import { waitUntilObserved } from './observed-storage-version.ts';
import { type RewriteCounts, rewriteObjects } from './rewrite-objects.ts';
import { migrateOnServer } from './server-migration.ts';
import { pruneStoredVersions } from './stored-versions.ts';

/** The default of `qps`. A small API server writes several hundred objects per second, and others need it too. */
export const defaultQps = 100;
/** How often the progress is written to the CRD. After a crash, this much work is repeated. */
const saveEveryMs = 5000;
/** How long an interrupted migration may take to write its progress. */
const lastSaveMs = 2000;

export interface MigrateStorageOptions {
  /** The maximum number of requests per second. Default: 100. */
  readonly qps?: number;
  /** If true, the server checks every write and stores nothing. Default: false. */
  readonly dryRun?: boolean;
  /**
   * Whether to let the API server migrate the objects if it serves `StorageVersionMigration`. It reports no numbers and ignores
   * `qps`. Default: true.
   */
  readonly useServer?: boolean;
  /**
   * Whether to migrate although objects lose fields that they have in their old version and not in the storage version, or
   * cannot be checked for that. Default: false.
   */
  readonly allowDataLoss?: boolean;
  /** Stops after the current requests, and saves the progress. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Called after each object, and every second while the server migrates. It must be fast. */
  readonly observer?: (progress: StorageMigrationProgress) => void;
}

/**
 * Stores all objects of a CRD in its storage version, and then removes the other versions from `status.storedVersions`, so that
 * they can be removed from the CRD. `name` is that of the CRD: `shops.example.com`.
 *
 * Promised: `storedVersions` changes only if every object was rewritten and the spec of the CRD did not change meanwhile. It is
 * safe to run it at any time, several times, in several processes, and while others write. After an interruption, the next
 * call continues at about the same object. Memory is bounded: the metadata of 500 objects. If objects would lose fields, nothing
 * is written: see {@link StorageMigrationReport.losses}.
 *
 * Rejects with `invalid-option`, `unknown-kind`, `migration-refused`, `storage-version-changed`, `cluster-unreachable` or a
 * StatusError. An object that cannot be rewritten is no error: see {@link StorageMigrationReport.failures}.
 */
export async function migrateStorage(
  client: Client,
  name: string,
  options: MigrateStorageOptions = {},
): Promise<StorageMigrationReport> {
  const { qps = defaultQps, dryRun = false, useServer = true, allowDataLoss = false } = options;
  const { signal, clock = new SystemClock() } = options;
  checkQps(qps);
  const definition = await readDefinition(client, name, signal);
  const { storedVersions, resource } = definition;
  const counts: RewriteCounts = { rewritten: 0, gone: 0, failed: 0, failures: [] };
  let lost: FieldLosses = { losses: [], unchecked: 0, failures: [] };
  const report = (
    outcome: StorageMigrationReport['outcome'],
    after: readonly string[],
    { by = 'evenkeel', resumed = false }: Partial<Pick<StorageMigrationReport, 'by' | 'resumed'>> = {},
  ): StorageMigrationReport => ({
    definition: name,
    kind: resource.kind,
    storageVersion: resource.version,
    storedVersions: { before: storedVersions, after },
    outcome,
    by,
    resumed,
    ...counts,
    ...(outcome === 'refused' ? { failures: lost.failures } : {}),
    losses: lost.losses,
    unchecked: lost.unchecked,
  });
  if (storedVersions.every((version) => version === resource.version)) return report('current', storedVersions);
  await checkPermissions(client, definition, signal);
  if (!dryRun || mayLoseFields(definition)) await waitUntilObserved(client, definition, clock, signal);
  let checked = 0;
  const observe = (by: 'evenkeel' | 'server', remaining: number | undefined): void => {
    const { rewritten, gone, failed } = counts;
    const { version: storageVersion } = resource;
    options.observer?.({ definition: name, storageVersion, by, checked, rewritten, gone, failed, remaining });
  };
  const onObject = (): void => {
    checked++;
    observe('evenkeel', undefined);
  };
  lost = await findFieldLosses({ client, definition, clock, qps, signal, onObject });
  const isLossy = lost.losses.length > 0 || lost.unchecked > 0;
  if (isLossy && !allowDataLoss && !dryRun) return report('refused', storedVersions);
  if (useServer && !dryRun) {
    const isMigrated = await migrateOnServer(client, definition, clock, signal, () => observe('server', undefined));
    if (isMigrated) return report('migrated', await pruneStoredVersions(client, definition, signal), { by: 'server' });
  }
  const resumed = await rewriteAll({ client, definition, counts, qps, dryRun, signal, clock, observe });
  if (dryRun) return report('dry-run', storedVersions, { resumed });
  if (counts.failed > 0) return report('failed', storedVersions, { resumed });
  return report('migrated', await pruneStoredVersions(client, definition, signal), { resumed });
}

interface Rewriting {
  readonly client: Client;
  readonly definition: MigratedDefinition;
  readonly counts: RewriteCounts;
  readonly qps: number;
  readonly dryRun: boolean;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly observe: (by: 'evenkeel', remaining: number | undefined) => void;
}

/** Rewrites all objects, from where an earlier migration stopped. Returns whether there was one. */
async function rewriteAll({
  client,
  definition,
  counts,
  qps,
  dryRun,
  signal,
  clock,
  observe,
}: Rewriting): Promise<boolean> {
  // A migration with failures starts again, because the failed objects are before its token.
  const saved = dryRun ? undefined : savedProgress(definition);
  const from = saved?.failed === 0 ? saved : undefined;
  if (from !== undefined) {
    counts.rewritten = from.rewritten;
    counts.gone = from.gone;
  }
  let next = from?.continue;
  /** The counts when `next` was reached. The objects of an unfinished page are counted again. */
  let reached = { rewritten: counts.rewritten, gone: counts.gone, failed: 0 };
  let savedAtMs = clock.monotonic();
  let remaining: number | undefined;
  const save = async (within: AbortSignal | undefined): Promise<void> => {
    if (next === undefined || dryRun) return;
    savedAtMs = clock.monotonic();
    await saveProgress(client, definition, { generation: definition.generation, continue: next, ...reached }, within);
  };
  try {
    await rewriteObjects({
      ...{ resource: definition.resource, client, clock, qps, dryRun, signal, counts, from: next },
      onPage: async (token, left) => {
        next = token;
        reached = { rewritten: counts.rewritten, gone: counts.gone, failed: counts.failed };
        remaining = left;
        if (clock.monotonic() - savedAtMs >= saveEveryMs) await save(signal);
      },
      onObject: () => observe('evenkeel', remaining),
    });
  } catch (error) {
    const late = new AbortController();
    const timer = clock.schedule(lastSaveMs, () => late.abort(new Error('the progress was not saved in time')));
    // The error of the migration is more important.
    await save(late.signal).catch(() => undefined);
    timer.cancel();
    throw error;
  }
  return from !== undefined;
}

function checkQps(qps: number): void {
  if (Number.isFinite(qps) && qps > 0) return;
  throw new EvenkeelError(
    'invalid-option',
    `qps: ${qps} is not a number of requests per second; pass a positive number`,
  );
}
