import { rfc3339 } from '@evenkeel/core';
import type { Pod, PodStatus } from '@evenkeel/kinds';
import { jsonEqual } from '../apimachinery/index.ts';
import { simulationPrefix } from '../kind/simulation-prefix.ts';
import type { ControllerContext, EmbeddedController } from './controller.ts';
import { controllerOf, keyOf, splitKey } from './controller-reference.ts';
import { EventWriter } from './event-writer.ts';
import { KeyedSync } from './keyed-sync.ts';
import type { SimulatedPods } from './simulated-pods.ts';

const pods = { group: '', plural: 'pods' };
const leases = { group: 'coordination.k8s.io', plural: 'leases' };

/**
 * Simulates the life of scheduled pods, as kwok does. No container runs. A pod becomes Running and Ready at once, a pod of
 * a Job succeeds, and a deleted pod is removed without a grace period. Annotations can say something else
 * ({@link SimulatedPods}). Pods of a node with a Lease belong to another kubelet.
 */
export const kubelet: EmbeddedController = {
  name: 'kubelet',
  start(context) {
    const { client, clock } = context;
    const addresses = new PodAddresses();
    let simulated: SimulatedPods | undefined;
    const sync: KeyedSync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const pod = client.get<Pod>(pods, namespace, name);
      const nodeName = pod?.spec?.nodeName ?? '';
      if (pod === undefined || nodeName === '') return;
      // Another kubelet renews this Lease, such as that of a test that runs containers as processes.
      if (client.get(leases, 'kube-node-lease', nodeName) !== undefined) return;
      if (pod.metadata.deletionTimestamp !== undefined) {
        if ((pod.metadata.finalizers ?? []).length > 0) return;
        await client.delete(pods, namespace, name, {
          gracePeriodSeconds: 0,
          ...(pod.metadata.uid === undefined ? {} : { preconditions: { uid: pod.metadata.uid } }),
        });
      } else if (isSimulated(pod)) {
        if (simulated === undefined) {
          const { SimulatedPods } = await import('./simulated-pods.ts');
          simulated ??= new SimulatedPods(context, new EventWriter(client, clock, 'kubelet'));
        }
        const { status, againMs } = simulated.advance(pod, addresses.of(pod));
        if (againMs !== undefined) sync.addAfter(key, againMs);
        if (status !== undefined && !jsonEqual(status, pod.status)) {
          await client.updateStatus(pods, { ...pod, status });
        }
      } else if (pod.status?.phase === 'Pending') {
        await client.updateStatus(pods, { ...pod, status: running(context, pod, addresses.of(pod)) });
      } else if (pod.status?.phase === 'Running' && controllerOf(pod)?.kind === 'Job') {
        await client.updateStatus(pods, { ...pod, status: succeeded(context, pod) });
      }
    });
    const stop = client.watch<Pod>(pods, ({ type, object }) => {
      if (type !== 'DELETED') sync.add(keyOf(object));
      else {
        addresses.release(object);
        simulated?.forget(object);
      }
    });
    return () => {
      stop();
      sync.stop();
    };
  },
};

/** Whether annotations say what the pod does. */
function isSimulated({ metadata }: Pod): boolean {
  return Object.keys(metadata.annotations ?? {}).some((key) => key.startsWith(simulationPrefix));
}

/** Allocates addresses of 10.244.0.0/16, the lowest free address first. */
class PodAddresses {
  readonly #byUid = new Map<string, number>();
  readonly #taken = new Set<number>();

  of(pod: Pod): string {
    const uid = pod.metadata.uid ?? '';
    let number = this.#byUid.get(uid);
    if (number === undefined) {
      number = 1;
      while (this.#taken.has(number)) number++;
      this.#byUid.set(uid, number);
      this.#taken.add(number);
    }
    return `10.244.${(number >> 8) & 255}.${number & 255}`;
  }

  release(pod: Pod): void {
    const number = this.#byUid.get(pod.metadata.uid ?? '');
    if (number === undefined) return;
    this.#byUid.delete(pod.metadata.uid ?? '');
    this.#taken.delete(number);
  }
}

function running({ clock }: ControllerContext, pod: Pod, podIP: string): PodStatus {
  const now = rfc3339(new Date(clock.now()));
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return {
    ...pod.status,
    phase: 'Running',
    conditions: [
      ...['Initialized', 'Ready', 'ContainersReady'].map((type) => condition(type, 'True', now)),
      scheduled ?? condition('PodScheduled', 'True', now),
    ],
    containerStatuses: (pod.spec?.containers ?? []).map(({ name, image }) => ({
      name,
      image: image ?? '',
      imageID: '',
      ready: true,
      restartCount: 0,
      lastState: {},
      state: { running: { startedAt: now } },
    })),
    hostIP: '127.0.0.1',
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: now,
  };
}

function succeeded({ clock }: ControllerContext, pod: Pod): PodStatus {
  const now = rfc3339(new Date(clock.now()));
  return {
    ...pod.status,
    phase: 'Succeeded',
    conditions: (pod.status?.conditions ?? []).map((existing) =>
      existing.type === 'Ready' || existing.type === 'ContainersReady'
        ? condition(existing.type, 'False', now, 'PodCompleted')
        : existing,
    ),
    containerStatuses: (pod.status?.containerStatuses ?? []).map((container) => ({
      ...container,
      ready: false,
      started: false,
      state: {
        terminated: {
          exitCode: 0,
          reason: 'Completed',
          startedAt: container.state?.running?.startedAt ?? now,
          finishedAt: now,
        },
      },
    })),
  };
}

function condition(
  type: string,
  status: 'True' | 'False',
  now: string,
  reason?: string,
): NonNullable<PodStatus['conditions']>[number] {
  return { type, status, lastTransitionTime: now, ...(reason === undefined ? {} : { reason }) };
}
