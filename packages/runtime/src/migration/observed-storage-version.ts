import { type Client, discoverResources } from '@evenkeel/client';
import { type Clock, EvenkeelError } from '@evenkeel/core';
import { storageVersionHash } from '../fields/storage-version-hash.ts';
import type { MigratedDefinition } from './migrated-definition.ts';

/** How long the API server may take to use a new storage version. It usually takes milliseconds. */
const patienceMs = 30_000;
const pollMs = 100;
/** Several API servers learn of a change within milliseconds of each other. The discovery of one proves nothing about others. */
const spreadMs = 3000;

/**
 * Waits until the API server stores objects in the storage version of the CRD: after a change, it continues to write in the
 * old version for a moment. Its discovery has a hash of the version. Throws `migration-refused` if that takes 30 s.
 *
 * If the CRD was changed in the last 3 s, waits for the rest of this time, for clusters with several API servers.
 */
export async function waitUntilObserved(
  client: Client,
  definition: MigratedDefinition,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { resource, changedAtMs } = definition;
  const expected = storageVersionHash(resource);
  const deadline = clock.monotonic() + patienceMs;
  for (;;) {
    const hash = await discoveredHash(client, definition, signal);
    // An older or another server may have no hash.
    if (hash === undefined || hash === expected) break;
    if (clock.monotonic() >= deadline) {
      throw new EvenkeelError(
        'migration-refused',
        `migrate ${definition.name}: after ${patienceMs / 1000} s, the API server still does not store objects in ${resource.version}, the storage version of the CRD; wait until all API servers of the cluster are healthy, and run it again`,
      );
    }
    await clock.sleep(pollMs, signal);
  }
  if (changedAtMs === undefined) return;
  // Times of field managers are rounded down to seconds.
  const remainingMs = Math.min(changedAtMs + 1000 + spreadMs - clock.now(), spreadMs);
  if (remainingMs > 0) await clock.sleep(remainingMs, signal);
}

/** The empty string if the server does not know the version yet. */
async function discoveredHash(
  client: Client,
  { resource }: MigratedDefinition,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const resources = await discoverResources(client, resource, { signal });
  const found = resources.find(({ name }) => name === resource.plural);
  return found === undefined ? '' : found.storageVersionHash;
}
