import type { Clock, KubernetesObject } from '@evenkeel/core';
import { rfc3339 } from '@evenkeel/core';
import type { CoreEvent } from '@evenkeel/kinds';
import type { ServerClient } from './server-client.ts';

const events = { group: '', plural: 'events' };

/**
 * Writes core/v1 Events about objects, as the legacy recorder of kube-controller-manager does. Events are best effort: no
 * caller waits for one, and a failed write is not retried.
 */
export class EventWriter {
  readonly #client: ServerClient;
  readonly #clock: Clock;
  readonly #component: string;
  #sequence = 0;

  constructor(client: ServerClient, clock: Clock, component: string) {
    this.#client = client;
    this.#clock = clock;
    this.#component = component;
  }

  normal(about: KubernetesObject, reason: string, message: string): void {
    this.#write('Normal', about, reason, message);
  }

  warning(about: KubernetesObject, reason: string, message: string): void {
    this.#write('Warning', about, reason, message);
  }

  #write(type: 'Normal' | 'Warning', about: KubernetesObject, reason: string, message: string): void {
    const nowMs = this.#clock.now();
    const time = rfc3339(new Date(nowMs));
    // The hexadecimal time in nanoseconds makes the name unique, as in upstream's names.
    const suffix = (BigInt(nowMs) * 1_000_000n + BigInt(this.#sequence++)).toString(16);
    const namespace = about.metadata.namespace ?? 'default';
    const event: CoreEvent = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${about.metadata.name}.${suffix}`, namespace },
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        name: about.metadata.name,
        ...(about.metadata.namespace === undefined ? {} : { namespace: about.metadata.namespace }),
        ...(about.metadata.uid === undefined ? {} : { uid: about.metadata.uid }),
        ...(about.metadata.resourceVersion === undefined ? {} : { resourceVersion: about.metadata.resourceVersion }),
      },
      reason,
      message,
      source: { component: this.#component },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      type,
      reportingComponent: this.#component,
      reportingInstance: '',
    };
    this.#client.create(events, event).catch(() => undefined);
  }
}
