import { fieldSelectorOf, labelSelectorOf } from '@evenkeel/client';
import {
  type ApiResource,
  type Clock,
  type KubernetesObject,
  type Logger,
  type Metadata,
  matchesLabels,
  ObjectKey,
  parseLabelSelector,
} from '@evenkeel/core';
import type { Cache, CacheUsage } from '../cache/cache.ts';
import type { Informer } from '../cache/informer.ts';
import { namesOf } from '../cache/scope.ts';
import { currentReconcile } from './current-reconcile.ts';
import type { ObjectWrite } from './reconcile-run.ts';

/** How long a key waits until a cache contains its write. After that, a run with a stale cache is the lesser evil. */
const longestWaitMs = 5000;

/** Writes within this period share one timeout: a timer and a signal for each write would be expensive. */
const sharedMs = 250;

/** Waits until the informers of a manager have received a write, and returns the objects that they had before it. */
export class WrittenCaches {
  readonly #cache: Cache;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #late = 0;
  #patience: { readonly signal: AbortSignal; readonly sharedUntilMs: number } | undefined;

  constructor(cache: Cache, clock: Clock, logger: Logger) {
    this.#cache = cache;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The usage of the caches. */
  get usage(): readonly CacheUsage[] {
    return this.#cache.usage;
  }

  /** The number of writes that a cache did not receive in time. */
  get late(): number {
    return this.#late;
  }

  /** Returns the cached object, preferably from a cache of whole objects. */
  find(resource: ApiResource, key: ObjectKey): KubernetesObject | Metadata | undefined {
    let metadata: Metadata | undefined;
    for (const { metadataOnly, lister } of this.#informersOf(resource, key)) {
      const object = lister.get(key);
      if (object !== undefined && !metadataOnly) return object;
      metadata ??= object;
    }
    return metadata;
  }

  /**
   * Resolves when every cache that contains the object, or will contain it, has received the write, or after 5 s. If the object
   * no longer matches a cache's selector after the write, the cache has received the write when it has dropped the object.
   * `before` is the object in a cache or of the run's previous write, `after` the object in the response. Returns undefined if
   * there is nothing to wait for: no cache contains the object, or the write changed nothing.
   */
  seen(
    write: ObjectWrite,
    before: KubernetesObject | Metadata | undefined,
    after: KubernetesObject | Metadata | undefined,
  ): Promise<void> | undefined {
    if (write.effect === 'unchanged') return undefined;
    const waits: Promise<void>[] = [];
    for (const informer of this.#informersOf(write.resource, write.key)) {
      const wait =
        write.verb === 'delete'
          ? this.#gone(informer, write, after ?? before)
          : this.#passed(informer, write, before, after);
      if (wait !== undefined) waits.push(wait);
    }
    return waits.length === 0 ? undefined : this.#untilSeen(write, waits);
  }

  #gone(
    informer: Informer,
    { key, uid }: ObjectWrite,
    object: KubernetesObject | Metadata | undefined,
  ): Promise<void> | undefined {
    if (object === undefined || uid === undefined || !concerns(informer, key, object)) return undefined;
    const lastVersion = object.metadata.resourceVersion;
    return untilGone(informer, key, { uid, lastVersion, signal: this.#patienceFromNow() });
  }

  #passed(
    informer: Informer,
    { resource, key, resourceVersion }: ObjectWrite,
    before: KubernetesObject | Metadata | undefined,
    after: KubernetesObject | Metadata | undefined,
  ): Promise<void> | undefined {
    if (resourceVersion === undefined || after === undefined) return undefined;
    // The response of a subresource may have another kind, without labels. Such a write does not change labels either.
    const isIn = selects(informer, after.kind === resource.kind ? after : (before ?? after));
    if (isIn === true) return informer.waitForWrite(key, resourceVersion, this.#patienceFromNow());
    if (informer.lister.get(key) !== undefined) {
      return informer.waitForLeave(key, resourceVersion, this.#patienceFromNow());
    }
    const firstVersion = before?.metadata.resourceVersion;
    if (before === undefined || firstVersion === undefined || selects(informer, before) !== true) return undefined;
    return untilLeft(informer, key, { firstVersion, resourceVersion, signal: this.#patienceFromNow() });
  }

  /**
   * Resolves when no cache contains any of the objects that one request has deleted, or after 5 s. Objects that are being
   * deleted count as gone.
   */
  async allGone(resource: ApiResource, deleted: readonly Metadata[]): Promise<void> {
    const signal = this.#patienceFromNow();
    for (const object of deleted) {
      const key = ObjectKey.of(object);
      const { uid } = object.metadata;
      const informers = this.#informersOf(resource, key).filter((informer) => concerns(informer, key, object));
      try {
        // One after the other, because each event checks every waiter, and there may be thousands.
        for (const informer of informers) if (uid !== undefined) await informer.waitForDelete(key, uid, signal);
      } catch {
        this.#reportLate(resource, key);
        return;
      }
    }
  }

  /** Returns a signal that is aborted when the wait for a current write times out. */
  #patienceFromNow(): AbortSignal {
    const nowMs = this.#clock.monotonic();
    if (this.#patience === undefined || nowMs > this.#patience.sharedUntilMs) {
      const late = new AbortController();
      this.#clock.schedule(longestWaitMs, () => late.abort(), { unref: true });
      this.#patience = { signal: late.signal, sharedUntilMs: nowMs + sharedMs };
    }
    return this.#patience.signal;
  }

  async #untilSeen(write: ObjectWrite, waits: readonly Promise<void>[]): Promise<void> {
    try {
      await Promise.all(waits);
    } catch {
      this.#reportLate(write.resource, write.key);
    }
  }

  #reportLate({ kind }: ApiResource, key: ObjectKey): void {
    this.#late++;
    this.#logger.warn('a cache did not receive a write in time', {
      ...currentReconcile()?.logKeys,
      kind,
      object: String(key),
      afterMs: longestWaitMs,
    });
  }

  #informersOf(resource: ApiResource, key: ObjectKey): Informer[] {
    return this.#cache
      .informersOf(resource)
      .filter(({ scope }) => key.namespace === undefined || scope.namespaces?.includes(key.namespace) !== false);
  }
}

/** If the cache has not received the object yet, waits for it first, because absence is then not a deletion. */
async function untilGone(
  informer: Informer,
  key: ObjectKey,
  {
    uid,
    lastVersion,
    signal,
  }: { readonly uid: string; readonly lastVersion: string | undefined; readonly signal: AbortSignal },
): Promise<void> {
  if (lastVersion !== undefined && informer.lister.get(key) === undefined) {
    await informer.waitForWrite(key, lastVersion, signal);
  }
  await informer.waitForDelete(key, uid, signal);
}

/** Waits for the object first, because if the cache has not received it yet, absence does not mean that it was dropped. */
async function untilLeft(
  informer: Informer,
  key: ObjectKey,
  {
    firstVersion,
    resourceVersion,
    signal,
  }: { readonly firstVersion: string; readonly resourceVersion: string; readonly signal: AbortSignal },
): Promise<void> {
  await informer.waitForWrite(key, firstVersion, signal);
  await informer.waitForLeave(key, resourceVersion, signal);
}

/** Whether the informer has the object or will have it. */
function concerns(informer: Informer, key: ObjectKey, object: KubernetesObject | Metadata): boolean {
  return selects(informer, object) === true || informer.lister.get(key) !== undefined;
}

/**
 * Whether the informer's selectors match. Undefined if only the server can evaluate them: field selectors other than names.
 */
export function selects({ scope }: Informer, { metadata }: KubernetesObject | Metadata): boolean | undefined {
  const selector = labelSelectorOf(scope.labels);
  if (selector !== undefined && !matchesLabels(parseLabelSelector(selector), metadata.labels)) return false;
  const fields = fieldSelectorOf(scope.fields);
  if (fields === undefined) return true;
  const names = namesOf(fields);
  if (names === undefined) return undefined;
  const { name = metadata.name, namespace = metadata.namespace } = names;
  return name === metadata.name && namespace === metadata.namespace;
}
