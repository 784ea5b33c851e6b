import { isAlreadyExists, rfc3339 } from '@evenkeel/core';
import type { Node } from '@evenkeel/kinds';
import type { ControllerContext } from './controller.ts';
import { EventWriter } from './event-writer.ts';

const nodes = { group: '', plural: 'nodes' };

/** The node that every embedded cluster has once it needs one, so that a server without pods starts fast. */
const nodeName = 'node-0';

const resources = { cpu: '64', memory: '256Gi', pods: '1000' };

/** The conditions of a healthy node, as a kubelet writes them. */
const conditions = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

/** Registers the node of the cluster, unless it exists. */
export async function registerNode({ client, clock }: Pick<ControllerContext, 'client' | 'clock'>): Promise<void> {
  if (client.get(nodes, undefined, nodeName) !== undefined) return;
  try {
    const registered = await client.create<Node>(nodes, nodeAt(rfc3339(new Date(clock.now()))));
    // The admission of nodes taints a new node until it is ready. This one is.
    await client.patch(nodes, undefined, nodeName, { spec: { taints: null } });
    const message = `Node ${nodeName} event: Registered Node ${nodeName} in Controller`;
    new EventWriter(client, clock, 'node-controller').normal(registered, 'RegisteredNode', message);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function nodeAt(now: string): Node {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: nodeName,
      labels: {
        'kubernetes.io/arch': architecture,
        'kubernetes.io/hostname': nodeName,
        'kubernetes.io/os': 'linux',
      },
    },
    status: {
      allocatable: resources,
      capacity: resources,
      addresses: [
        { type: 'InternalIP', address: '127.0.0.1' },
        { type: 'Hostname', address: nodeName },
      ],
      conditions: conditions.map(([type, status, reason, message]) => ({
        type,
        status,
        reason,
        message,
        lastHeartbeatTime: now,
        lastTransitionTime: now,
      })),
      nodeInfo: {
        architecture,
        bootID: '',
        containerRuntimeVersion: 'evenkeel://1.36.3',
        kernelVersion: '',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.36.3',
        machineID: '',
        operatingSystem: 'linux',
        osImage: 'Evenkeel',
        systemUUID: '',
      },
    },
  } as Node;
}
