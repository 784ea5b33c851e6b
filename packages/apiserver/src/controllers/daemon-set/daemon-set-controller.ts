import { type KubernetesObject, labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { ControllerRevision, DaemonSet, Node, Pod } from '@evenkeel/kinds';
import { jsonEqual } from '../../apimachinery/index.ts';
import { claimPods } from '../claim-pods.ts';
import type { EmbeddedController } from '../controller.ts';
import { controllerOf, keyOf, splitKey } from '../controller-reference.ts';
import { revisions } from '../controller-revisions.ts';
import { registerNode } from '../embedded-node.ts';
import { EventWriter } from '../event-writer.ts';
import { KeyedSync } from '../keyed-sync.ts';
import { DaemonSetSync } from './daemon-set-sync.ts';

const sets = { group: 'apps', plural: 'daemonsets' };
const nodes = { group: '', plural: 'nodes' };
const pods = { group: '', plural: 'pods' };

/** Keeps one pod of a DaemonSet on each node that it selects, as kube-controller-manager does. */
export const daemonSetController: EmbeddedController = {
  name: 'daemonset-controller',
  start(context) {
    const { client, clock } = context;
    const setSync = new DaemonSetSync(client, clock, new EventWriter(client, clock, 'daemonset-controller'));
    const sync: KeyedSync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const set = client.get<DaemonSet>(sets, namespace, name);
      if (set?.spec === undefined || set.metadata.deletionTimestamp !== undefined) return;
      await registerNode(context);
      const mine = await claimPods(client, set, (pod) => selects(set, pod));
      const againMs = await setSync.run(set, client.list<Node>(nodes), mine);
      if (againMs !== undefined) sync.addAfter(key, againMs);
    });
    const addOwner = (object: KubernetesObject): boolean => {
      const owner = controllerOf(object);
      if (owner?.kind === 'DaemonSet') sync.add(`${object.metadata.namespace ?? ''}/${owner.name}`);
      return owner !== undefined;
    };
    const stops = [
      client.watch<DaemonSet>(sets, ({ type, object }) => {
        if (type === 'DELETED') setSync.forget(object);
        else sync.add(keyOf(object));
      }),
      client.watch<Pod>(pods, ({ object, old }) => {
        for (const pod of [object, old]) {
          if (pod === undefined || addOwner(pod)) continue;
          for (const set of client.list<DaemonSet>(sets, pod.metadata.namespace)) {
            if (selects(set, pod)) sync.add(keyOf(set));
          }
        }
      }),
      client.watch<ControllerRevision>(revisions, ({ type, object }) => {
        if (type !== 'ADDED') addOwner(object);
      }),
      client.watch<Node>(nodes, ({ type, object, old }) => {
        if (type === 'MODIFIED' && jsonEqual(placementOf(object), placementOf(old))) return;
        for (const set of client.list<DaemonSet>(sets)) sync.add(keyOf(set));
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
    };
  },
};

function selects(set: DaemonSet, pod: Pod): boolean {
  const requirements = labelRequirementsOf(set.spec?.selector ?? {});
  return requirements.length > 0 && matchesLabels(requirements, pod.metadata.labels);
}

/** What decides whether a node runs pods of a DaemonSet. */
function placementOf(node: Node | undefined): unknown {
  return [node?.metadata.labels ?? {}, node?.spec?.taints ?? []];
}
