import type { Clock, KubernetesObject } from '@evenkeel/core';
import { rfc3339 } from '@evenkeel/core';
import type { CoreEvent } from '@evenkeel/kinds';
import type { ServerClient } from './server-client.ts';

const events = { group: '', plural: 'events' };

/** The most Events that a writer remembers, as upstream's recorder does (`maxLruCacheEntries`). */
const knownMax = 4096;

/** The nanoseconds in a millisecond of which each component has a part, so that two never give one name to two Events. */
const partsMax = 1000;

interface WrittenEvent {
  /** The name of the Event, once it is stored. */
  readonly name: Promise<string>;
  count: number;
}

/**
 * Writes core/v1 Events about objects, as the legacy recorder of kube-controller-manager does. A repeated Event increases the
 * count of the first one. Events are best effort: no caller waits for one, and a failed write is not retried.
 */
export class EventWriter {
  readonly #client: ServerClient;
  readonly #clock: Clock;
  readonly #component: string;
  readonly #written = new Map<string, WrittenEvent>();
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
    const { kind, apiVersion, metadata } = about;
    const key = JSON.stringify([
      type,
      kind,
      apiVersion,
      metadata.namespace,
      metadata.name,
      metadata.uid,
      reason,
      message,
    ]);
    const written = this.#written.get(key);
    this.#written.delete(key);
    if (written === undefined) this.#create(key, type, about, reason, message);
    else {
      this.#written.set(key, written);
      written.count++;
      this.#repeat(written, metadata.namespace ?? 'default').catch(() => {
        // The Event is gone.
        this.#create(key, type, about, reason, message);
      });
    }
    for (const oldest of this.#written.keys()) {
      if (this.#written.size <= knownMax) break;
      this.#written.delete(oldest);
    }
  }

  async #repeat({ name, count }: WrittenEvent, namespace: string): Promise<void> {
    const lastTimestamp = rfc3339(new Date(this.#clock.now()));
    await this.#client.patch(events, namespace, await name, { count, lastTimestamp });
  }

  #create(key: string, type: 'Normal' | 'Warning', about: KubernetesObject, reason: string, message: string): void {
    const nowMs = this.#clock.now();
    const time = rfc3339(new Date(nowMs));
    // The hexadecimal time in nanoseconds makes the name unique, as in upstream's names.
    const part = BigInt(partOf(this.#component) * partsMax + (this.#sequence++ % partsMax));
    const suffix = (BigInt(nowMs) * 1_000_000n + part).toString(16);
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
    const name = this.#client.create(events, event).then(({ metadata }) => metadata.name);
    name.catch(() => this.#written.delete(key));
    this.#written.set(key, { name, count: 1 });
  }
}

function partOf(component: string): number {
  let part = 0;
  for (const character of component) part = (part * 31 + (character.codePointAt(0) ?? 0)) % partsMax;
  return part;
}
