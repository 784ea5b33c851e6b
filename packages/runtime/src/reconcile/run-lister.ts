import { labelSelectorOf } from '@evenkeel/client';
import { type KubernetesObject, matchesLabels, ObjectKey, parseLabelSelector } from '@evenkeel/core';
import type { CachedObject } from '../cache/cached-object.ts';
import type { Informer } from '../cache/informer.ts';
import { Lister, type ListerListOptions } from '../cache/lister.ts';
import { compareResourceVersions } from '../cache/resource-version.ts';
import { checkKey, checkReach, type NamespaceFence } from './namespace-fence.ts';
import type { WrittenObject } from './run-writes.ts';
import type { WriteRecorder } from './write-recorder.ts';
import { selects } from './written-caches.ts';

/**
 * An informer's lister as a controller reads it. Within a run, what the run has written is as the server answered to that,
 * until the cache has passed it: there where it was made, gone where it was deleted or is selected no longer, and under the
 * values of an index that it has now. A run that has written nothing of the kind reads the cache, at its cost.
 *
 * Not so, but as the cache has it: where only metadata is cached, where the server's answer was not the whole object, as of
 * the `scale` subresource, and where a field selector beyond names leaves it to the server what is selected.
 *
 * With a fence, a run has its object's namespace alone: `get` and `list` refuse what is outside of it or in all namespaces,
 * `byIndex` leaves that out. Kinds without a namespace are read whole.
 */
export class RunLister<T extends CachedObject = CachedObject> extends Lister<T> {
  readonly #informer: Informer<T>;
  readonly #recorder: WriteRecorder;
  readonly #fence: NamespaceFence | undefined;

  /** @param fence undefined where the framework reads for itself. */
  constructor(informer: Informer<T>, recorder: WriteRecorder, fence?: NamespaceFence) {
    super();
    this.#informer = informer;
    this.#recorder = recorder;
    this.#fence = informer.resource.namespaced ? fence : undefined;
  }

  get(key: ObjectKey | string): T | undefined {
    const informer = this.#informer;
    const run = this.#recorder.current;
    if (run === undefined) return informer.lister.get(key);
    if (run.reach !== undefined && this.#fence !== undefined) checkKey(run.reach, informer.resource, key);
    const cached = informer.lister.get(key);
    const written = run.written(informer.resource, key);
    return written === undefined || informer.metadataOnly
      ? cached
      : asWritten(informer, cached, written, informer.health.lastSyncResourceVersion);
  }

  list(options?: ListerListOptions): readonly T[] {
    const reach = this.#fence?.reach;
    if (reach !== undefined) checkReach(reach, 'a lister', 'read', this.#informer.resource, options ?? {});
    const { namespace, labels } = options ?? {};
    return this.#withWritten(this.#informer.lister.list(options), ({ metadata }) => {
      if (namespace !== undefined && metadata.namespace !== namespace) return false;
      return matchesLabels(parseLabelSelector(labelSelectorOf(labels) ?? ''), metadata.labels);
    });
  }

  byIndex(name: string, value: string): readonly T[] {
    const informer = this.#informer;
    const found = this.#withWritten(informer.lister.byIndex(name, value), (object) =>
      informer.indexedUnder(name, object).includes(value),
    );
    return this.#fence?.visible(informer.resource, name, found) ?? found;
  }

  /** What the cache has, with what the run has made of it. `isAsked` tells whether a written object belongs to it. */
  #withWritten(found: readonly T[], isAsked: (object: T) => boolean): readonly T[] {
    const informer = this.#informer;
    const writes = informer.metadataOnly ? undefined : this.#recorder.current?.writtenOf(informer.resource);
    if (writes === undefined) return found;
    const { lastSyncResourceVersion } = informer.health;
    const differing = new Map<string, T | undefined>();
    for (const [key, written] of writes) {
      if (!isInScope(informer, key)) continue;
      const cached = informer.lister.get(key);
      const object = asWritten(informer, cached, written, lastSyncResourceVersion);
      if (object !== cached) differing.set(key, object);
    }
    if (differing.size === 0) return found;
    const objects = found.filter((object) => !differing.has(String(ObjectKey.of(object))));
    for (const object of differing.values()) if (object !== undefined && isAsked(object)) objects.push(object);
    return objects;
  }
}

function isInScope({ scope: { namespaces }, resource }: Informer, key: string): boolean {
  return !resource.namespaced || namespaces === undefined || namespaces.includes(key.slice(0, key.indexOf('/')));
}

/** An object of the cache as the run has left it. */
function asWritten<T extends CachedObject>(
  informer: Informer<T>,
  cached: T | undefined,
  written: WrittenObject,
  lastSyncResourceVersion: string | undefined,
): T | undefined {
  if (hasPassed(cached, written, lastSyncResourceVersion)) return cached;
  const { object } = written;
  if (object === undefined) return undefined;
  const isSelected = selects(informer, object);
  if (isSelected === undefined) return cached;
  return isSelected ? (object as KubernetesObject as T) : undefined;
}

function hasPassed(
  cached: CachedObject | undefined,
  { object, uid, resourceVersion }: WrittenObject,
  lastSyncResourceVersion: string | undefined,
): boolean {
  if (object === undefined) return cached === undefined || uid === undefined || cached.metadata.uid !== uid;
  if (resourceVersion === undefined) return true;
  return [cached?.metadata.resourceVersion, lastSyncResourceVersion].some(
    (seen) => seen !== undefined && compareResourceVersions(seen, resourceVersion) >= 0,
  );
}
