import { isForbidden, isNotFound, messageOf, type ObjectKey, StatusError } from '@evenkeel/core';
import { listedFailures, type ObjectFailure } from './object-failures.ts';
import { repeated, type Visit, type VisitOptions, visitObjects } from './visit-objects.ts';

export interface RewriteOptions extends Omit<VisitOptions, 'onRestart' | 'visit'> {
  readonly counts: RewriteCounts;
  /** If true, every write is a dry run. */
  readonly dryRun: boolean;
  readonly onObject: () => void;
}

/** What became of the objects. */
export interface RewriteCounts {
  /** Objects that are stored in the storage version now, whether the server had to rewrite them or not. */
  rewritten: number;
  /** Objects that were deleted before their turn. */
  gone: number;
  failed: number;
  failures: ObjectFailure[];
}

/**
 * Makes the API server store every object of a resource again, in the current storage version.
 *
 * The request is an empty merge patch. The server reads the stored object, changes nothing, and encodes it in the storage
 * version. It writes if the bytes differ, as they do in another version; otherwise it does nothing. managedFields, generation
 * and times stay. A patch without resourceVersion has no conflicts, because the server repeats it with the newer object. It
 * never creates an object, unlike an apply. It goes to the storage version: through another version, the server would prune
 * fields that this version does not have. Admission sees it, as it sees every write.
 */
export async function rewriteObjects(options: RewriteOptions): Promise<void> {
  await visitObjects({
    ...options,
    onRestart: () => Object.assign(options.counts, { rewritten: 0, gone: 0, failed: 0, failures: [] }),
    visit: (key, visit) => rewrite(key, visit, options),
  });
}

async function rewrite(key: ObjectKey, { kind, signal }: Visit, options: RewriteOptions): Promise<void> {
  const { client, clock, counts, dryRun, onObject } = options;
  try {
    await repeated(clock, signal, () =>
      client.patch(kind, key, { merge: {} }, { signal, dryRun, fieldValidation: 'Ignore' }),
    );
    counts.rewritten++;
  } catch (error) {
    signal.throwIfAborted();
    if (isNotFound(error)) counts.gone++;
    else {
      // Without a connection or a permission, all other objects would fail too.
      if (!(error instanceof StatusError) || (isForbidden(error) && counts.rewritten === 0)) throw error;
      counts.failed++;
      if (counts.failures.length < listedFailures)
        counts.failures.push({ object: `${key}`, message: messageOf(error) });
    }
  }
  onObject();
}
