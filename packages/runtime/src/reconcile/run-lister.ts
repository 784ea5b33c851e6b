import type { ObjectKey } from '@evenkeel/core';
import {
  type CachedObject,
  compareResourceVersions,
  type Informer,
  Lister,
  type ListerListOptions,
} from '../cache/index.ts';
import { checkKey, checkReach, type NamespaceFence } from './namespace-fence.ts';
import type { WrittenObject } from './run-writes.ts';
import type { WriteRecorder } from './write-recorder.ts';
import { selects } from './written-caches.ts';

/**
 * An informer's lister as a controller reads it. Within a run, `get` of what the run has written gives the server's answer
 * to that, until the cache has passed it; `list` and `byIndex` read the cache alone. Where only metadata is cached, all of
 * them do.
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
    if (written === undefined || informer.metadataOnly || hasPassed(informer, cached, written)) return cached;
    if (written.object !== undefined && !selects(informer, written.object)) return cached;
    return written.object as T | undefined;
  }

  list(options?: ListerListOptions): readonly T[] {
    const reach = this.#fence?.reach;
    if (reach !== undefined) checkReach(reach, 'a lister', 'read', this.#informer.resource, options ?? {});
    return this.#informer.lister.list(options);
  }

  byIndex(name: string, value: string): readonly T[] {
    const { lister, resource } = this.#informer;
    const found = lister.byIndex(name, value);
    return this.#fence?.visible(resource, name, found) ?? found;
  }
}

function hasPassed(informer: Informer, cached: CachedObject | undefined, written: WrittenObject): boolean {
  const { object, uid, resourceVersion } = written;
  if (object === undefined) return cached === undefined || uid === undefined || cached.metadata.uid !== uid;
  if (resourceVersion === undefined) return true;
  return [cached?.metadata.resourceVersion, informer.health.lastSyncResourceVersion].some(
    (seen) => seen !== undefined && compareResourceVersions(seen, resourceVersion) >= 0,
  );
}
