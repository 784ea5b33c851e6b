import { type Client, review } from '@evenkeel/client';
import { type ApiResource, EvenkeelError, groupResourceOf } from '@evenkeel/core';
import { SelfSubjectAccessReview } from '@evenkeel/kinds/authorization/v1';
import type { ClusterObjects } from '../cluster/cluster-objects.ts';
import type { ManifestObject } from '../manifests/generated-file.ts';

/** The parts of a request that a permission is about. */
interface Need {
  readonly verb: string;
  readonly resource: ApiResource;
  readonly namespace: string | undefined;
}

/** How many reviews are in progress at the same time. */
const concurrency = 8;

/**
 * Throws `cluster-access-denied` with all missing permissions of the user, so that a deployment does not stop in the middle.
 */
export async function checkAccess(
  cluster: ClusterObjects,
  objects: readonly ManifestObject[],
  verbs: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const needs = new Map<string, Need>();
  for (const object of objects) {
    const resource = await cluster.resourceOf(object);
    if (resource === undefined) continue;
    const namespace = resource.namespaced ? object.metadata.namespace : undefined;
    for (const verb of verbs)
      needs.set(`${verb} ${groupResourceOf(resource)} ${namespace}`, { verb, resource, namespace });
  }
  const waiting = [...needs.values()];
  const missing: string[] = [];
  const work = async (): Promise<void> => {
    for (let need = waiting.shift(); need !== undefined; need = waiting.shift()) {
      if (!(await isAllowed(cluster.client, need, signal))) missing.push(textOf(need));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (missing.length === 0) return;
  throw new EvenkeelError(
    'cluster-access-denied',
    `the user of this context lacks ${missing.length === 1 ? 'a permission' : `${missing.length} permissions`}; nothing was written. Use another user, or grant:\n${missing
      .toSorted()
      .map((line) => `    ${line}`)
      .join('\n')}`,
  );
}

async function isAllowed(client: Client, { verb, resource, namespace }: Need, signal: AbortSignal): Promise<boolean> {
  const { group, version, plural } = resource;
  const place = namespace === undefined ? {} : { namespace };
  const resourceAttributes = { verb, group, version, resource: plural, ...place };
  return (await review(client, SelfSubjectAccessReview, { resourceAttributes }, { signal })).allowed === true;
}

function textOf({ verb, resource, namespace }: Need): string {
  return `${verb} ${groupResourceOf(resource)}${namespace === undefined ? '' : ` in the namespace ${namespace}`}`;
}
