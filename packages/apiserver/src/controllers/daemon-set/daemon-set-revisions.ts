import { isAlreadyExists } from '@evenkeel/core';
import type { ControllerRevision, DaemonSet, Pod } from '@evenkeel/kinds';
import { jsonEqual } from '../../apimachinery/index.ts';
import { listRevisions, newRevision, revisionData, revisions } from '../controller-revisions.ts';
import type { ServerClient } from '../server-client.ts';
import { revisionLabel } from './daemon-set-pod.ts';

const sets = { group: 'apps', plural: 'daemonsets' };
const pods = { group: '', plural: 'pods' };

export interface DaemonSetRevisions {
  /** The hash of the present template, which is in the label of its pods. */
  readonly hash: string;
  readonly old: readonly ControllerRevision[];
}

/**
 * The revisions of a DaemonSet. A new template gets a new revision; a template that was used before gets the newest
 * revision number again. Source: `constructHistory`, `pkg/controller/daemon/update.go`.
 */
export async function revisionsOf(
  client: ServerClient,
  set: DaemonSet,
  mine: readonly Pod[],
): Promise<DaemonSetRevisions> {
  const data = revisionData(set);
  const all = await listRevisions(client, set);
  const old = all.filter((revision) => !jsonEqual(revision.data, data));
  const next = (old.at(-1)?.revision ?? 0) + 1;
  const present = all.filter((revision) => !old.includes(revision));
  let current = present.at(-1);
  if (current === undefined) current = await createRevision(client, set, data, next);
  else {
    await replaceDuplicates(client, current, present.slice(0, -1), mine);
    if (current.revision < next) {
      const { namespace, name } = current.metadata;
      await client.patch(revisions, namespace, name, { revision: next });
    }
  }
  return { hash: hashOf(current) ?? '', old };
}

function hashOf({ metadata }: ControllerRevision): string | undefined {
  return metadata.labels?.[revisionLabel];
}

async function createRevision(
  client: ServerClient,
  set: DaemonSet,
  data: Record<string, unknown>,
  revision: number,
): Promise<ControllerRevision> {
  const collisionCount = set.status?.collisionCount ?? 0;
  const wanted = { ...newRevision(set, revisionLabel, collisionCount), data, revision };
  try {
    return await client.create<ControllerRevision>(revisions, wanted);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    // Another template has the same hash, or another object the same name. The next sync uses another hash.
    const status = { ...set.status, collisionCount: collisionCount + 1 };
    await client.updateStatus(sets, { ...set, status });
    throw error;
  }
}

/** Gives the pods of duplicates, which may be adopted ones, the hash of the current revision. */
async function replaceDuplicates(
  client: ServerClient,
  current: ControllerRevision,
  duplicates: readonly ControllerRevision[],
  mine: readonly Pod[],
): Promise<void> {
  if (duplicates.length === 0) return;
  const labels = { [revisionLabel]: hashOf(current) };
  for (const { metadata } of mine) {
    if (metadata.labels?.[revisionLabel] === hashOf(current)) continue;
    await client.patch(pods, metadata.namespace, metadata.name, { metadata: { labels } });
  }
  for (const { metadata } of duplicates) await client.delete(revisions, metadata.namespace, metadata.name);
}

/** Deletes the oldest revisions beyond the history limit that no pod has. */
export async function truncateHistory(
  client: ServerClient,
  set: DaemonSet,
  { old }: DaemonSetRevisions,
  mine: readonly Pod[],
): Promise<void> {
  const live = new Set(mine.map(({ metadata }) => metadata.labels?.[revisionLabel]));
  const unused = old.filter((revision) => !live.has(hashOf(revision)));
  const surplus = Math.max(0, old.length - (set.spec?.revisionHistoryLimit ?? 10));
  for (const { metadata } of unused.slice(0, surplus)) {
    await client.delete(revisions, metadata.namespace, metadata.name);
  }
}
