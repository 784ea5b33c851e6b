import type { JsonObject } from '@evenkeel/apimachinery/json';
import { apiVersionOf, type KubernetesObject, type Transport } from '@evenkeel/core';
import { allObjects } from '../dev/session/all-objects.ts';

/** What a run has left on an API server. */
export interface RemainingObjects {
  readonly examples: readonly JsonObject[];
  readonly children: readonly JsonObject[];
  readonly events: readonly JsonObject[];
}

/**
 * Reads the examples, everything that they own, directly or indirectly, and the Events about them, which are those of the operator:
 * the controllers of Kubernetes record Events about its own kinds.
 *
 * @param uids those of the examples.
 * @param namespace where the examples and what they own are. Undefined: everywhere.
 */
export async function remainingObjects(
  transport: Transport,
  uids: ReadonlySet<string>,
  namespace: string | undefined,
): Promise<RemainingObjects> {
  const all: KubernetesObject[] = [];
  const events: JsonObject[] = [];
  for await (const { object, resource } of allObjects({ transport, namespace })) {
    const typed = { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind };
    if (resource.kind === 'Event' && resource.group === '') {
      const { involvedObject } = object as { involvedObject?: { uid?: string } };
      if (uids.has(involvedObject?.uid ?? '')) events.push(typed);
    } else all.push(typed);
  }
  const owners = new Set(uids);
  const children: JsonObject[] = [];
  let rest = all.filter(({ metadata }) => !uids.has(metadata.uid ?? ''));
  for (let before = -1; before !== children.length; ) {
    before = children.length;
    const isOwned = ({ metadata }: KubernetesObject): boolean =>
      (metadata.ownerReferences ?? []).some(({ uid }) => owners.has(uid));
    for (const child of rest.filter(isOwned)) {
      children.push({ ...child });
      owners.add(child.metadata.uid ?? '');
    }
    rest = rest.filter((object) => !isOwned(object));
  }
  const examples = all.filter(({ metadata }) => uids.has(metadata.uid ?? '')).map((object) => ({ ...object }));
  return { examples, children, events };
}
