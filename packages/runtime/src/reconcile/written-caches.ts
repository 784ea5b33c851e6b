import { labelSelectorOf } from '@evenkeel/client';
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
import type { Cache, CacheUsage, Informer } from '../cache/index.ts';
import { currentReconcile } from './current-reconcile.ts';
import type { ObjectWrite } from './reconcile-run.ts';

/** How long a key waits for a cache to see its write; beyond that, going on with an old state is the lesser evil. */
const longestWaitMs = 5000;

/** Writes of so long share the end of their waiting: a timer and a signal for each would cost more than the waiting. */
const sharedMs = 250;

/** The informers of a manager as a write meets them: what they had before it, and when they have seen it. */
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

  /** What the caches hold. */
  get usage(): readonly CacheUsage[] {
    return this.#cache.usage;
  }

  /** How many writes no cache saw in time. */
  get late(): number {
    return this.#late;
  }

  /** The object as some cache has it, whole where there is such a one. */
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
   * Resolves when every cache that holds such an object has seen the write, or 5 s have passed. `object` is what was
   * written or deleted. Undefined where there is nothing to wait for: no such cache, or a write that changed nothing.
   */
  seen(write: ObjectWrite, object: KubernetesObject | Metadata | undefined): Promise<void> | undefined {
    const { resource, key, resourceVersion, uid, effect, verb } = write;
    if (object === undefined || effect === 'unchanged') return undefined;
    const informers = this.#informersOf(resource, key).filter((informer) => selects(informer, object));
    if (informers.length === 0) return undefined;
    const signal = this.#patienceFromNow();
    const waits = informers.map((informer) => {
      if (verb !== 'delete') return resourceVersion && informer.waitForWrite(key, resourceVersion, signal);
      return uid && untilGone(informer, key, { uid, lastVersion: object.metadata.resourceVersion, signal });
    });
    return this.#untilSeen(write, waits);
  }

  /**
   * Resolves when no cache has any of the objects that one request has deleted, or 5 s have passed. One that is in deletion
   * counts as gone.
   */
  async allGone(resource: ApiResource, deleted: readonly Metadata[]): Promise<void> {
    const signal = this.#patienceFromNow();
    for (const object of deleted) {
      const key = ObjectKey.of(object);
      const { uid } = object.metadata;
      const informers = this.#informersOf(resource, key).filter((informer) => selects(informer, object));
      try {
        // One after the other: each that waits is asked at each event, and there may be thousands.
        for (const informer of informers) if (uid !== undefined) await informer.waitForDelete(key, uid, signal);
      } catch {
        this.#tellLate(resource, key);
        return;
      }
    }
  }

  /** A signal that is aborted when what is written now has been waited for long enough. */
  #patienceFromNow(): AbortSignal {
    const nowMs = this.#clock.monotonic();
    if (this.#patience === undefined || nowMs > this.#patience.sharedUntilMs) {
      const late = new AbortController();
      this.#clock.schedule(longestWaitMs, () => late.abort(), { unref: true });
      this.#patience = { signal: late.signal, sharedUntilMs: nowMs + sharedMs };
    }
    return this.#patience.signal;
  }

  async #untilSeen(write: ObjectWrite, waits: readonly unknown[]): Promise<void> {
    try {
      await Promise.all(waits);
    } catch {
      this.#tellLate(write.resource, write.key);
    }
  }

  #tellLate({ kind }: ApiResource, key: ObjectKey): void {
    this.#late++;
    this.#logger.warn('a cache has not seen a write in time', {
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

/** An object that the cache has not seen yet is not gone: it is still to come, and to go then. */
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

/** Whether the informer's selectors match. What a field selector selects is the server's to say: nothing waits for it. */
export function selects({ scope }: Informer, object: KubernetesObject | Metadata): boolean {
  if (scope.fields !== undefined && Object.keys(scope.fields).length > 0) return false;
  const selector = labelSelectorOf(scope.labels);
  return selector === undefined || matchesLabels(parseLabelSelector(selector), object.metadata.labels);
}
