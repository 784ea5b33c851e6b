import type { Client } from '@evenkeel/client';
import { EvenkeelError, isConflict } from '@evenkeel/core';
import { definitions, type MigratedDefinition, readDefinition } from './migrated-definition.ts';
import { progressAnnotation } from './migration-progress.ts';

/** The controllers of the API server write the status of a CRD too, but rarely. */
const attempts = 10;

/**
 * Leaves only the storage version in `status.storedVersions`, and removes the progress. Call it after all objects have been
 * rewritten since `before` was read. Returns the versions that are listed then.
 *
 * Throws `storage-version-changed` if the spec of the CRD has changed since then, or if it is another CRD of the same name:
 * objects may have been stored in another version meanwhile. The resourceVersion excludes a change between check and write.
 */
export async function pruneStoredVersions(
  client: Client,
  before: MigratedDefinition,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const { name, uid, generation, resource } = before;
  for (let attempt = 1; ; attempt++) {
    const now = await readDefinition(client, name, signal);
    if (now.uid !== uid || now.generation !== generation || now.resource.version !== resource.version) {
      throw new EvenkeelError(
        'storage-version-changed',
        `migrate ${name}: the spec of the CRD was changed during the migration, so objects may be stored in another version than ${resource.version}; status.storedVersions stays [${now.storedVersions.join(', ')}]; run the migration again`,
      );
    }
    const isPruned = now.storedVersions.length === 1 && now.storedVersions[0] === resource.version;
    if (isPruned && now.annotations[progressAnnotation] === undefined) return now.storedVersions;
    const { resourceVersion } = now;
    const merge = {
      metadata: { resourceVersion, annotations: { [progressAnnotation]: null } },
      status: { storedVersions: [resource.version] },
    };
    try {
      await client.subresource(definitions, name, 'status').patch({ merge } as never, { signal });
      return [resource.version];
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
    }
  }
}
