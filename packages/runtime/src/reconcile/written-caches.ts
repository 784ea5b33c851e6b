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
   * Resolves when every cache that has such an object, or is to have it, has seen the write, or 5 s have passed. A cache
   * whose selector the write takes the object out of has seen that when it has it no longer. `before` is what some cache had,
   * or the run had made of it; `after` what the server answered. Undefined where there is nothing to wait for: no such cache,
   * or a write that changed nothing.
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
    // A subresource may answer with an object of another kind, which has no labels; it changed none either.
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
   * Resolves when no cache has any of the objects that one request has deleted, or 5 s have passed. One that is in deletion
   * counts as gone.
   */
  async allGone(resource: ApiResource, deleted: readonly Metadata[]): Promise<void> {
    const signal = this.#patienceFromNow();
    for (const object of deleted) {
      const key = ObjectKey.of(object);
      const { uid } = object.metadata;
      const informers = this.#informersOf(resource, key).filter((informer) => concerns(informer, key, object));
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

  async #untilSeen(write: ObjectWrite, waits: readonly Promise<void>[]): Promise<void> {
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

/** An object that the cache has not seen yet has not left it: it is still to come, and to leave then. */
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

/** Whether the informer has the object, or is to have it. */
function concerns(informer: Informer, key: ObjectKey, object: KubernetesObject | Metadata): boolean {
  return selects(informer, object) === true || informer.lister.get(key) !== undefined;
}

/**
 * Whether the informer's selectors match; undefined where only the server can say, which is so of field selectors beyond
 * names.
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
