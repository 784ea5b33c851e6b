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
 * The lister of an informer for use in controllers. Within a run, it includes the run's writes until the cache contains them:
 * it returns created objects, omits objects that were deleted or no longer match the selector, and uses the new values of
 * indexes. If the run has written no object of the kind, reading costs the same as reading the cache.
 *
 * It returns the cached state instead if only metadata is cached, if the response was not the whole object (subresource
 * `scale`), or if the informer has a field selector other than names, which only the server can evaluate.
 *
 * With a fence, a run is restricted to the namespace of its object: `get` and `list` throw for other or all namespaces, and
 * `byIndex` omits objects of other namespaces. Cluster-scoped kinds are not restricted.
 */
export class RunLister extends Lister {
  readonly #informer: Informer;
  readonly #recorder: WriteRecorder;
  readonly #fence: NamespaceFence | undefined;

  /** @param fence undefined if the framework itself reads. */
  constructor(informer: Informer, recorder: WriteRecorder, fence?: NamespaceFence) {
    super();
    this.#informer = informer;
    this.#recorder = recorder;
    this.#fence = informer.resource.namespaced ? fence : undefined;
  }

  get(key: ObjectKey | string): CachedObject | undefined {
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

  list(options?: ListerListOptions): readonly CachedObject[] {
    const reach = this.#fence?.reach;
    if (reach !== undefined) checkReach(reach, 'a lister', 'read', this.#informer.resource, options ?? {});
    const { namespace, labels } = options ?? {};
    return this.#withWritten(this.#informer.lister.list(options), ({ metadata }) => {
      if (namespace !== undefined && metadata.namespace !== namespace) return false;
      return matchesLabels(parseLabelSelector(labelSelectorOf(labels) ?? ''), metadata.labels);
    });
  }

  byIndex(name: string, value: string): readonly CachedObject[] {
    const informer = this.#informer;
    const found = this.#withWritten(informer.lister.byIndex(name, value), (object) =>
      informer.indexedUnder(name, object).includes(value),
    );
    return this.#fence?.visible(informer.resource, name, found) ?? found;
  }

  /** Adds the run's writes to the cached objects. `isAsked` returns whether a written object belongs to the result. */
  #withWritten(found: readonly CachedObject[], isAsked: (object: CachedObject) => boolean): readonly CachedObject[] {
    const informer = this.#informer;
    const writes = informer.metadataOnly ? undefined : this.#recorder.current?.writtenOf(informer.resource);
    if (writes === undefined) return found;
    const { lastSyncResourceVersion } = informer.health;
    const differing = new Map<string, CachedObject | undefined>();
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

/** A cached object with the run's last write. */
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
