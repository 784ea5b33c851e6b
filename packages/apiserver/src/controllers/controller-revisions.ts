import { isAlreadyExists, labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { ControllerRevision, DaemonSet, PodTemplateSpec, StatefulSet } from '@evenkeel/kinds';
import { copyJson, jsonEqual } from '../apimachinery/index.ts';
import { controllerOf, controllerReferenceTo, isControlledBy } from './controller-reference.ts';
import { podTemplateHash } from './pod-template-hash.ts';
import type { ServerClient } from './server-client.ts';

export const revisions = { group: 'apps', plural: 'controllerrevisions' };
const hashLabel = 'controller.kubernetes.io/hash';

/** A workload whose templates are kept as ControllerRevisions. */
export type RevisedWorkload = StatefulSet | DaemonSet;

export interface RevisionsOfSet {
  /** The revision before the update; without an update, the present one. */
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisionCount: number;
  readonly all: readonly ControllerRevision[];
}

/**
 * The revisions of a set's template. A new template gets a new revision; a template that was used before gets the newest
 * revision number again. Source: `getStatefulSetRevisions`, `pkg/controller/statefulset/stateful_set_control.go`.
 */
export async function revisionsOf(client: ServerClient, set: StatefulSet): Promise<RevisionsOfSet> {
  const all = await listRevisions(client, set);
  const data = revisionData(set);
  const newest = all.at(-1);
  const next = (newest?.revision ?? 0) + 1;
  let collisionCount = set.status?.collisionCount ?? 0;
  let update = all.findLast((revision) => jsonEqual(revision.data, data));
  if (update === undefined) {
    const created = await createRevision(client, set, data, next, collisionCount);
    update = created.revision;
    collisionCount = created.collisionCount;
  } else if (update !== newest) {
    const { namespace, name } = update.metadata;
    update = await client.patch<ControllerRevision>(revisions, namespace, name, { revision: next });
  }
  const current = all.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
  return { current, update, collisionCount, all };
}

/** The content of the revision of a workload's template: the patch that restores the template. */
export function revisionData({ spec }: RevisedWorkload): Record<string, unknown> {
  return { spec: { template: { ...copyJson(spec?.template), $patch: 'replace' } } };
}

/** The revisions of a workload, the oldest first. First adopts matching revisions that have no controller. */
export async function listRevisions(client: ServerClient, set: RevisedWorkload): Promise<ControllerRevision[]> {
  const requirements = labelRequirementsOf(set.spec?.selector ?? {});
  const found: ControllerRevision[] = [];
  for (const revision of client.list<ControllerRevision>(revisions, set.metadata.namespace)) {
    if (isControlledBy(revision, set)) found.push(revision);
    else if (controllerOf(revision) === undefined && matchesLabels(requirements, revision.metadata.labels)) {
      if (set.metadata.deletionTimestamp === undefined) found.push(await adopt(client, set, revision));
    }
  }
  return found.sort((left, right) => left.revision - right.revision);
}

function adopt(
  client: ServerClient,
  set: RevisedWorkload,
  { metadata }: ControllerRevision,
): Promise<ControllerRevision> {
  const { namespace, name, uid, ownerReferences = [] } = metadata;
  const owners = [...ownerReferences, controllerReferenceTo(set)];
  return client.patch<ControllerRevision>(revisions, namespace, name, { metadata: { uid, ownerReferences: owners } });
}

async function createRevision(
  client: ServerClient,
  set: StatefulSet,
  data: Record<string, unknown>,
  revision: number,
  collisions: number,
): Promise<{ revision: ControllerRevision; collisionCount: number }> {
  for (let collisionCount = collisions; ; collisionCount++) {
    const wanted = { ...newRevision(set, hashLabel, collisionCount), data, revision };
    try {
      return { revision: await client.create<ControllerRevision>(revisions, wanted), collisionCount };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}

/** A revision of the workload's template, without data. The hash of the template is in its name and in a label. */
export function newRevision(
  set: RevisedWorkload,
  label: string,
  collisionCount: number,
): Pick<ControllerRevision, 'apiVersion' | 'kind' | 'metadata'> {
  const template = set.spec?.template ?? { spec: { containers: [] } };
  const { name, namespace = '', annotations } = set.metadata;
  const hash = podTemplateHash(template, collisionCount);
  const metadata = {
    name: `${name}-${hash}`,
    namespace,
    labels: { ...template.metadata?.labels, [label]: hash },
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
    ownerReferences: [controllerReferenceTo(set)],
  };
  return { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata };
}

export function templateOf({ data }: ControllerRevision): PodTemplateSpec {
  const { spec } = (data ?? {}) as { spec?: { template?: PodTemplateSpec & { $patch?: string } } };
  const { $patch: _, ...template } = spec?.template ?? { spec: { containers: [] } };
  return template;
}

/** Deletes the oldest revisions beyond the set's history limit that neither the set nor one of its pods uses. */
export async function truncateHistory(
  client: ServerClient,
  set: StatefulSet,
  { all, current, update }: RevisionsOfSet,
  inUse: ReadonlySet<string | undefined>,
): Promise<void> {
  const live = new Set([current.metadata.name, update.metadata.name, ...inUse]);
  const past = all.filter(({ metadata }) => !live.has(metadata.name));
  for (const { metadata } of past.slice(0, Math.max(0, past.length - (set.spec?.revisionHistoryLimit ?? 10)))) {
    await client.delete(revisions, metadata.namespace, metadata.name);
  }
}
