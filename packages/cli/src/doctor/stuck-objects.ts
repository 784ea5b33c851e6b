import { ignoreNotFound, isForbidden } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import { type CheckResult, failed, ok, warning } from '../cluster/check-result.ts';
import type { ClusterSession } from '../cluster/cluster-session.ts';
import { definitionsIn } from '../deploy/definitions-in.ts';

const check = 'finalizers';
const objectsShown = 10;

/** Looks for objects of the project's kinds whose deletion is stuck. */
export async function checkFinalizers(
  { client, clock, objects, signal }: ClusterSession,
  stuckAfterMs: number,
): Promise<CheckResult[]> {
  const stuck: string[] = [];
  let count = 0;
  for (const definition of definitionsIn(objects)) {
    const live = await ignoreNotFound(client.get(CustomResourceDefinition, definition.metadata.name, { signal }));
    const version = live?.spec.versions.find(({ served, storage }) => served && storage)?.name;
    if (live === undefined || version === undefined) continue;
    const { group, names, scope } = live.spec;
    const resource = { group, version, kind: names.kind, plural: names.plural, namespaced: scope === 'Namespaced' };
    try {
      const { items } = await client.list(resource, { signal });
      count += items.length;
      for (const { metadata } of items) {
        const { name, namespace, deletionTimestamp, finalizers = [] } = metadata;
        if (deletionTimestamp === undefined) continue;
        const ageMs = clock.now() - Date.parse(deletionTimestamp);
        if (ageMs < stuckAfterMs) continue;
        const place = namespace === undefined ? name : `${namespace}/${name}`;
        stuck.push(
          `${names.kind} ${place}: deleted ${Math.round(ageMs / 60_000)} min ago, finalizers ${finalizers.join(', ')}`,
        );
      }
    } catch (error) {
      if (!isForbidden(error)) throw error;
      return [warning(check, (error as Error).message, 'run the command as a user who may list the objects')];
    }
  }
  if (stuck.length === 0) return [ok(check, `none of ${count} objects waits for its finalizers`)];
  const more = stuck.length > objectsShown ? [`and ${stuck.length - objectsShown} more`] : [];
  const fix = 'check the log of the operator; it must remove its finalizers when it has cleaned up';
  return [
    failed(check, `the deletion of ${stuck.length} objects is stuck`, fix, [...stuck.slice(0, objectsShown), ...more]),
  ];
}
