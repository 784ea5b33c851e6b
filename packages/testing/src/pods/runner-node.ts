import type { Client } from '@evenkeel/client';
import { type Clock, ignoreNotFound, rfc3339 } from '@evenkeel/core';
import { Node } from '@evenkeel/kinds';
import { Lease } from '@evenkeel/kinds/coordination/v1';
import { nodeResources } from './pod-fields.ts';

/** The label of the nodes of runners. */
const runnerNodeLabel = 'evenkeel.dev/pod-runner';
/** The simulated kubelet of the embedded server ignores the pods of a node with a Lease. */
const leaseNamespace = 'kube-node-lease';
/** As the kubelet. After 40 s without a renewal, the node controller considers the node dead. */
const leaseSeconds = 40;
const renewalMs = 10_000;

/** The Node of a runner, and the Lease that shows that it is alive. The scheduler assigns no other pods to it. */
export class RunnerNode {
  readonly name: string;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();

  constructor(name: string, client: Client, clock: Clock) {
    this.name = name;
    this.#client = client;
    this.#clock = clock;
  }

  async register(): Promise<void> {
    const now = this.#now();
    await this.#renew();
    await this.#client.create(Node, {
      metadata: { name: this.name, labels: { [runnerNodeLabel]: 'true', 'kubernetes.io/hostname': this.name } },
      spec: { unschedulable: true },
      status: {
        allocatable: nodeResources,
        capacity: nodeResources,
        addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
        conditions: [
          {
            ...{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'a PodRunner of a test is ready' },
            ...{ lastHeartbeatTime: now, lastTransitionTime: now },
          },
        ],
      },
    } as never);
    this.#schedule();
  }

  async remove(): Promise<void> {
    this.#stopping.abort(new Error('the runner is closed'));
    await ignoreNotFound(this.#client.delete(Node, this.name));
    await ignoreNotFound(this.#client.delete(Lease, `${leaseNamespace}/${this.name}`));
  }

  #schedule(): void {
    const timer = this.#clock.schedule(
      renewalMs,
      () => {
        // The next renewal comes in time for one that fails.
        void this.#renew().catch(() => undefined);
        this.#schedule();
      },
      { unref: true },
    );
    this.#stopping.signal.addEventListener('abort', () => timer.cancel(), { once: true });
  }

  async #renew(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const spec = { holderIdentity: this.name, leaseDurationSeconds: leaseSeconds, renewTime: this.#microTime() };
    await this.#client.apply(
      Lease,
      { metadata: { name: this.name, namespace: leaseNamespace }, spec },
      { force: true },
    );
  }

  #now(): string {
    return rfc3339(new Date(this.#clock.now()));
  }

  #microTime(): string {
    return new Date(this.#clock.now()).toISOString().replace('Z', '000Z');
  }
}
