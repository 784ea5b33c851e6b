import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
import { type Clock, EvenkeelError, ignoreNotFound, isAlreadyExists, isConflict, isForbidden } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds/core/v1';
import { managedByLabel } from '../cluster/cluster-objects.ts';
import { keyOf, type ObjectReference } from '../cluster/object-name.ts';
import { ownVersion } from '../own-version.ts';

/** Names the operator of a record. */
export const recordLabel = 'evenkeel.dev/deployment';
/** The deployment that currently writes. */
const lockAnnotation = 'evenkeel.dev/deploying';
/** The version of the command that wrote the objects. */
const versionAnnotation = 'evenkeel.dev/version';

/** The period of renewals of the lock, and the time without a renewal after which another deployment takes the lock over. */
const renewMs = 5_000;
const staleMs = 20_000;
/** The period in which the lock of another deployment is read. */
const pollMs = 500;

interface Lock {
  readonly id: string;
  readonly by: string;
  readonly renewals: number;
}

export interface RecordOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly manager: string;
  readonly operator: { readonly name: string; readonly namespace: string };
}

/** Another deployment on the same cluster. */
export interface OtherDeployment {
  /** The name of its operator. */
  readonly name: string;
  readonly namespace: string;
  readonly objects: readonly ObjectReference[];
}

/**
 * The list of the objects of an operator that `evenkeel deploy` has applied, in a ConfigMap next to the operator. It is also the lock
 * of the deployment: one at a time writes. The times of two machines are never compared. A lock is stale if it is not renewed while
 * this process watches it.
 */
export class DeploymentRecord {
  readonly #options: RecordOptions;
  readonly #id = randomUUID();
  #resourceVersion: string | undefined;
  #objects: readonly ObjectReference[] = [];
  #renewals = 0;
  #renewal: { cancel(): void } | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #lost = new AbortController();

  constructor(options: RecordOptions) {
    this.#options = options;
  }

  /** The name of the ConfigMap. */
  get name(): string {
    return `${this.#options.operator.name}-deployment`;
  }

  /** The recorded objects, in the order in which they were applied. */
  get objects(): readonly ObjectReference[] {
    return this.#objects;
  }

  /** Aborted if another deployment has taken over the lock. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Reads the recorded objects without the lock; none if there is no record. Returns the version of the command that wrote them. */
  async read(signal: AbortSignal): Promise<{ readonly exists: boolean; readonly version: string | undefined }> {
    const map = await this.#get(signal);
    this.#take(map);
    return { exists: map !== undefined, version: map?.metadata.annotations?.[versionAnnotation] };
  }

  /**
   * Waits for the lock, and reads the recorded objects. Throws `deployment-locked` if another deployment renews its lock for longer
   * than `timeoutMs`.
   *
   * @param waiting is called once with the owner of the lock.
   */
  async acquire(timeoutMs: number, signal: AbortSignal, waiting: (by: string) => void): Promise<void> {
    const { clock } = this.#options;
    const deadline = clock.monotonic() + timeoutMs;
    let seen: { readonly text: string; readonly sinceMs: number } | undefined;
    for (;;) {
      const map = await this.#get(signal);
      const text = map?.metadata.annotations?.[lockAnnotation];
      const lock = lockIn(text);
      const nowMs = clock.monotonic();
      if (text !== undefined && text !== seen?.text) {
        if (seen === undefined && lock !== undefined) waiting(lock.by);
        seen = { text, sinceMs: nowMs };
      }
      const isStale = seen !== undefined && nowMs - seen.sinceMs >= staleMs;
      if (lock === undefined || isStale) {
        this.#take(map);
        if (await this.#locked(signal)) break;
        continue;
      }
      if (nowMs >= deadline) {
        throw new EvenkeelError(
          'deployment-locked',
          `${lock.by} is deploying ${this.#options.operator.name} to the same namespace; wait until that has finished, and run the command again`,
        );
      }
      await clock.sleep(pollMs, signal);
    }
    this.#schedule();
  }

  /** Replaces the recorded objects. */
  async write(objects: readonly ObjectReference[], signal: AbortSignal): Promise<void> {
    this.#objects = withoutDuplicates(objects);
    await this.#queue(() => this.#put(signal));
  }

  /** Releases the lock. Does not throw: another deployment takes over a lock that is not renewed. */
  async release(): Promise<void> {
    if (this.#renewal === undefined) return;
    this.#renewal.cancel();
    this.#renewal = undefined;
    await this.#queue(() => this.#put(undefined, false)).catch(() => undefined);
  }

  /** Deletes the record. It must be the last step of an undeployment. */
  async remove(signal: AbortSignal): Promise<void> {
    this.#renewal?.cancel();
    this.#renewal = undefined;
    await this.#last.catch(() => undefined);
    const { client, operator } = this.#options;
    await ignoreNotFound(client.delete(ConfigMap, { namespace: operator.namespace, name: this.name }, { signal }));
  }

  /** The records of all other deployments. Empty if the user must not list the ConfigMaps of all namespaces. */
  async others(signal: AbortSignal): Promise<readonly OtherDeployment[]> {
    const { client, operator } = this.#options;
    // The label with any value.
    const list = await client.list(ConfigMap, { labels: recordLabel, signal }).catch((error: unknown) => {
      if (isForbidden(error)) return { items: [] };
      throw error;
    });
    return list.items.flatMap(({ metadata: { namespace, labels: own = {} }, data }) => {
      const name = own[recordLabel];
      if (namespace === undefined || name === undefined) return [];
      if (namespace === operator.namespace && name === operator.name) return [];
      return { name, namespace, objects: objectsIn(data?.['objects']) };
    });
  }

  #get(signal: AbortSignal): Promise<ConfigMap | undefined> {
    const { client, operator } = this.#options;
    return ignoreNotFound(client.get(ConfigMap, { namespace: operator.namespace, name: this.name }, { signal }));
  }

  #take(map: ConfigMap | undefined): void {
    this.#resourceVersion = map?.metadata.resourceVersion;
    this.#objects = objectsIn(map?.data?.['objects']);
  }

  /** Returns false if another deployment was faster. */
  async #locked(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#put(signal);
      return true;
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) return false;
      throw error;
    }
  }

  #schedule(): void {
    this.#renewal = this.#options.clock.schedule(
      renewMs,
      () => {
        this.#renewals++;
        void this.#queue(() => this.#put(undefined))
          .catch(() => undefined)
          .then(() => {
            if (this.#renewal !== undefined) this.#schedule();
          });
      },
      { unref: true },
    );
  }

  #queue(write: () => Promise<void>): Promise<void> {
    const next = this.#last.catch(() => undefined).then(write);
    this.#last = next;
    return next;
  }

  async #put(signal: AbortSignal | undefined, isLocked = true): Promise<void> {
    const { client, operator, manager } = this.#options;
    const lock: Lock = { id: this.#id, by: owner(), renewals: this.#renewals };
    const map = {
      metadata: {
        name: this.name,
        namespace: operator.namespace,
        labels: { ...managedByLabel, [recordLabel]: operator.name },
        annotations: {
          [versionAnnotation]: ownVersion(),
          ...(isLocked ? { [lockAnnotation]: JSON.stringify(lock) } : {}),
        },
        ...(this.#resourceVersion === undefined ? {} : { resourceVersion: this.#resourceVersion }),
      },
      data: { objects: `[\n${this.#objects.map((object) => JSON.stringify(object)).join(',\n')}\n]\n` },
    };
    const options = { fieldManager: manager, ...(signal === undefined ? {} : { signal }) };
    try {
      const written =
        this.#resourceVersion === undefined
          ? await client.create(ConfigMap, map, options)
          : await client.update(ConfigMap, map, options);
      this.#resourceVersion = written.metadata.resourceVersion;
    } catch (error) {
      if (isConflict(error) && this.#renewal !== undefined) {
        this.#lost.abort(
          new EvenkeelError(
            'deployment-locked',
            `another deployment of ${operator.name} has started meanwhile; run the command again when that has finished`,
          ),
        );
      }
      throw error;
    }
  }
}

function owner(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // The user of a container need not have a name.
    return hostname();
  }
}

function lockIn(text: string | undefined): Lock | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && typeof value['by'] === 'string' ? (value as unknown as Lock) : undefined;
  } catch {
    return undefined;
  }
}

/** Entries that are invalid after an edit by hand are ignored, so that nothing is deleted by mistake. */
function objectsIn(text: string | undefined): ObjectReference[] {
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isReference) : [];
  } catch {
    return [];
  }
}

function isReference(value: unknown): value is ObjectReference {
  return (
    isJsonObject(value) &&
    ['apiVersion', 'kind', 'name'].every((field) => typeof value[field] === 'string') &&
    ['string', 'undefined'].includes(typeof value['namespace'])
  );
}

function withoutDuplicates(objects: readonly ObjectReference[]): ObjectReference[] {
  return [...new Map(objects.map((object) => [keyOf(object), object])).values()];
}
