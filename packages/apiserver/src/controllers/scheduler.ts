import { isAlreadyExists } from '@evenkeel/core';
import type { Node, Pod } from '@evenkeel/kinds';
import type { ControllerContext, EmbeddedController } from './controller.ts';
import { keyOf, splitKey } from './controller-reference.ts';
import { EventWriter } from './event-writer.ts';
import { KeyedSync } from './keyed-sync.ts';

const nodes = { group: '', plural: 'nodes' };
const pods = { group: '', plural: 'pods' };

/** The only node of an embedded cluster. It is registered when the first pod is scheduled, so that the server starts fast. */
const nodeName = 'node-0';

/** Assigns every pod to the only node, whatever resources it requests; the node has no limits. */
export const scheduler: EmbeddedController = {
  name: 'default-scheduler',
  start(context) {
    const { client, clock } = context;
    const events = new EventWriter(client, clock, 'default-scheduler');
    const sync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const pod = client.get<Pod>(pods, namespace, name);
      if (pod === undefined || !isWaiting(pod)) return;
      await registerNode(context);
      await client.create(
        pods,
        {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: pod.metadata.name, namespace: pod.metadata.namespace },
          target: { kind: 'Node', name: nodeName },
        },
        { subresource: 'binding' },
      );
      events.normal(pod, 'Scheduled', `Successfully assigned ${keyOf(pod)} to ${nodeName}`);
    });
    const stop = client.watch<Pod>(pods, ({ object }) => {
      if (isWaiting(object)) sync.add(keyOf(object));
    });
    return () => {
      stop();
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

async function registerNode({ client, clock }: ControllerContext): Promise<void> {
  if (client.get(nodes, undefined, nodeName) !== undefined) return;
  const resources = { cpu: '64', memory: '256Gi', pods: '1000' };
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: nodeName, labels: { 'kubernetes.io/hostname': nodeName } },
    status: {
      allocatable: resources,
      capacity: resources,
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'the embedded node is ready' }],
    },
  } as Node;
  try {
    const registered = await client.create(nodes, node);
    const message = `Node ${nodeName} event: Registered Node ${nodeName} in Controller`;
    new EventWriter(client, clock, 'node-controller').normal(registered, 'RegisteredNode', message);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
