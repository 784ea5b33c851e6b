import { rfc3339 } from '@evenkeel/core';
import type { Node, Pod } from '@evenkeel/kinds';
import type { ControllerContext, EmbeddedController } from './controller.ts';
import { keyOf, splitKey } from './controller-reference.ts';
import { registerNode } from './embedded-node.ts';
import { EventWriter } from './event-writer.ts';
import { KeyedSync } from './keyed-sync.ts';
import type { Placement } from './pod-placement.ts';
import { isFinished } from './pod-readiness.ts';

const nodes = { group: '', plural: 'nodes' };
const pods = { group: '', plural: 'pods' };

/** Assigns pods to nodes that they select, whose taints they tolerate, and that have what they request. */
export const scheduler: EmbeddedController = {
  name: 'default-scheduler',
  start(context) {
    const { client, clock } = context;
    const events = new EventWriter(client, clock, 'default-scheduler');
    const sync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const waiting = client.get<Pod>(pods, namespace, name);
      if (waiting === undefined || !isWaiting(waiting)) return;
      await registerNode(context);
      const placement = await place(context, waiting);
      const pod = client.get<Pod>(pods, namespace, name);
      if (pod === undefined || !isWaiting(pod)) return;
      if ('failure' in placement) await reportFailure(context, events, pod, placement.failure);
      else await bind(context, events, pod, placement.node);
    });
    const stops = [
      client.watch<Pod>(pods, ({ type, object, old }) => {
        if (isWaiting(object)) sync.add(keyOf(object));
        else if (old !== undefined && !isFinished(old) && (type === 'DELETED' || isFinished(object))) {
          // It leaves room for others.
          for (const pod of client.list<Pod>(pods)) if (isUnschedulable(pod)) sync.add(keyOf(pod));
        }
      }),
      client.watch<Node>(nodes, ({ type }) => {
        if (type === 'DELETED') return;
        for (const pod of client.list<Pod>(pods)) if (isWaiting(pod)) sync.add(keyOf(pod));
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
    };
  },
};

function isWaiting(pod: Pod): boolean {
  return (
    pod.metadata.deletionTimestamp === undefined &&
    (pod.spec?.nodeName ?? '') === '' &&
    pod.spec?.schedulerName === 'default-scheduler' &&
    (pod.spec.schedulingGates ?? []).length === 0
  );
}

function isUnschedulable(pod: Pod): boolean {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return isWaiting(pod) && scheduled?.status === 'False';
}

async function place({ client }: ControllerContext, pod: Pod): Promise<Placement> {
  const all = client.list<Node>(nodes);
  const [node, ...others] = all;
  if (node !== undefined && others.length === 0 && isOpen(node) && isUndemanding(pod)) {
    return { node: node.metadata.name };
  }
  // Few clusters need the rules.
  const { placePod } = await import('./pod-placement.ts');
  return placePod(pod, client.list<Node>(nodes), () => client.list<Pod>(pods));
}

function isOpen({ spec }: Node): boolean {
  return spec?.unschedulable !== true && (spec?.taints ?? []).length === 0;
}

function isUndemanding({ spec }: Pod): boolean {
  if (spec?.nodeSelector !== undefined || spec?.affinity?.nodeAffinity !== undefined) return false;
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? []), { resources: spec?.resources }];
  return containers.every(({ resources }) => resources?.requests === undefined);
}

async function bind({ client }: ControllerContext, events: EventWriter, pod: Pod, node: string): Promise<void> {
  const { name, namespace } = pod.metadata;
  const target = { kind: 'Node', name: node };
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace }, target };
  await client.create(pods, binding, { subresource: 'binding' });
  events.normal(pod, 'Scheduled', `Successfully assigned ${keyOf(pod)} to ${node}`);
}

/** Writes the reason why no node fits into the pod. The next change of a node or of the pod triggers another attempt. */
async function reportFailure(
  { client, clock }: ControllerContext,
  events: EventWriter,
  pod: Pod,
  message: string,
): Promise<void> {
  const conditions = pod.status?.conditions ?? [];
  const old = conditions.find(({ type }) => type === 'PodScheduled');
  if (old?.status === 'False' && old.message === message) return;
  const lastTransitionTime = old?.status === 'False' ? old.lastTransitionTime : rfc3339(new Date(clock.now()));
  const condition = {
    type: 'PodScheduled',
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    status: 'False' as const,
    reason: 'Unschedulable',
    message,
    ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
  };
  const others = conditions.filter(({ type }) => type !== 'PodScheduled');
  await client.updateStatus(pods, { ...pod, status: { ...pod.status, conditions: [...others, condition] } });
  events.warning(pod, 'FailedScheduling', message);
}
