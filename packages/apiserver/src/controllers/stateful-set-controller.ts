import { labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { Pod, StatefulSet } from '@evenkeel/kinds';
import { claimPods } from './claim-pods.ts';
import type { EmbeddedController } from './controller.ts';
import { controllerOf, keyOf, splitKey } from './controller-reference.ts';
import { EventWriter } from './event-writer.ts';
import { KeyedSync } from './keyed-sync.ts';
import { ordinalOf } from './stateful-set-pod.ts';
import { StatefulSetSync } from './stateful-set-sync.ts';

const sets = { group: 'apps', plural: 'statefulsets' };
const pods = { group: '', plural: 'pods' };
const claims = { group: '', plural: 'persistentvolumeclaims' };

/** Keeps the pods of a StatefulSet, each with its own name and claims, as kube-controller-manager does. */
export const statefulSetController: EmbeddedController = {
  name: 'statefulset-controller',
  start(context) {
    const { client, clock } = context;
    const setSync = new StatefulSetSync(client, clock, new EventWriter(client, clock, 'statefulset-controller'));
    const sync: KeyedSync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const set = client.get<StatefulSet>(sets, namespace, name);
      if (set === undefined) setSync.forget(key);
      if (set?.spec === undefined) return;
      const againMs = await setSync.run(set, await claimPods(client, set, (pod) => selects(set, pod)));
      if (againMs !== undefined) sync.addAfter(key, againMs);
    });
    const stops = [
      client.watch<StatefulSet>(sets, ({ object }) => sync.add(keyOf(object))),
      client.watch<Pod>(pods, ({ object, old }) => {
        for (const pod of [object, old]) {
          if (pod === undefined) continue;
          const owner = controllerOf(pod);
          if (owner?.kind === 'StatefulSet') sync.add(`${pod.metadata.namespace ?? ''}/${owner.name}`);
          else if (owner === undefined) {
            for (const set of client.list<StatefulSet>(sets, pod.metadata.namespace)) {
              if (selects(set, pod)) sync.add(keyOf(set));
            }
          }
        }
      }),
      // A pod waits while an old claim of the same name is being deleted; the deletion triggers the next sync.
      client.watch(claims, ({ type, object }) => {
        if (type !== 'DELETED') return;
        for (const set of client.list<StatefulSet>(sets, object.metadata.namespace)) {
          if ((set.spec?.volumeClaimTemplates ?? []).length > 0) sync.add(keyOf(set));
        }
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
    };
  },
};

function selects(set: StatefulSet, pod: Pod): boolean {
  const requirements = labelRequirementsOf(set.spec?.selector ?? {});
  return (
    requirements.length > 0 && matchesLabels(requirements, pod.metadata.labels) && ordinalOf(set, pod) !== undefined
  );
}
