import type { Client } from '@evenkeel/client';
import { definitions, type MigratedDefinition } from './migrated-definition.ts';

/**
 * The annotation of a CRD with the progress of its migration. It belongs to the CRD, so that another process, another replica
 * or another person continues where the last one stopped, and so that it is gone with the CRD.
 */
export const progressAnnotation = 'evenkeel.dev/storage-migration';

/** How far a migration is. All objects before `continue` have been attempted. */
export interface SavedProgress {
  /** The generation of the CRD. With another one, all objects are rewritten again. */
  readonly generation: number;
  readonly continue: string;
  readonly rewritten: number;
  readonly gone: number;
  readonly failed: number;
}

/** A token is a version and the key of an object, which etcd limits to less. */
const longestToken = 4096;

/** Returns the saved progress of this generation of the CRD. Ignores what it does not understand, because anyone can write it. */
export function savedProgress({ annotations, generation }: MigratedDefinition): SavedProgress | undefined {
  const text = annotations[progressAnnotation];
  if (text === undefined || text.length > 2 * longestToken) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const saved = value as Record<keyof SavedProgress, unknown>;
  const { continue: token, rewritten, gone, failed } = saved;
  if (saved.generation !== generation || typeof token !== 'string') return undefined;
  if (token === '' || token.length > longestToken) return undefined;
  if (!isCount(rewritten) || !isCount(gone) || !isCount(failed)) return undefined;
  return { generation, continue: token, rewritten, gone, failed };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * Writes the progress. Uses the status subresource, which includes annotations for CRDs: the migration needs it anyway, and an
 * operator should not be able to change the spec of its CRD.
 */
export async function saveProgress(
  client: Client,
  { name }: MigratedDefinition,
  progress: SavedProgress,
  signal?: AbortSignal,
): Promise<void> {
  const annotations = { [progressAnnotation]: JSON.stringify(progress) };
  await client
    .subresource(definitions, name, 'status')
    .patch({ merge: { metadata: { annotations } } } as never, { signal });
}
