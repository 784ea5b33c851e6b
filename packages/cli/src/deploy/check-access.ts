import { type Client, review } from '@evenkeel/client';
import { type ApiResource, EvenkeelError, groupResourceOf } from '@evenkeel/core';
import { SelfSubjectAccessReview } from '@evenkeel/kinds/authorization/v1';
import type { ClusterObjects } from '../cluster/cluster-objects.ts';
import { forEachConcurrently } from '../cluster/for-each-concurrently.ts';
import type { ManifestObject } from '../manifests/generated-file.ts';

/** The parts of a request that determine its permission. */
interface Need {
  readonly verb: string;
  readonly resource: ApiResource;
  readonly namespace: string | undefined;
}

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
  const missing: string[] = [];
  await forEachConcurrently(needs.values(), async (need) => {
    if (!(await isAllowed(cluster.client, need, signal))) missing.push(textOf(need));
  });
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
