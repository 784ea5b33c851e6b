import type { ObjectKey } from '@evenkeel/core';
import {
  type CachedObject,
  compareResourceVersions,
  type Informer,
  Lister,
  type ListerListOptions,
} from '../cache/index.ts';
import type { WrittenObject } from './run-writes.ts';
import type { WriteRecorder } from './write-recorder.ts';
import { selects } from './written-caches.ts';

/**
 * An informer's lister as a controller reads it. Within a run, `get` of what the run has written gives the server's answer
 * to that, until the cache has passed it; `list` and `byIndex` read the cache alone. Where only metadata is cached, all of
 * them do.
 */
export class RunLister<T extends CachedObject = CachedObject> extends Lister<T> {
  readonly #informer: Informer<T>;
  readonly #recorder: WriteRecorder;

  constructor(informer: Informer<T>, recorder: WriteRecorder) {
    super();
    this.#informer = informer;
    this.#recorder = recorder;
  }

  get(key: ObjectKey | string): T | undefined {
    const informer = this.#informer;
    const cached = informer.lister.get(key);
    const written = this.#recorder.written(informer.resource, String(key));
    if (written === undefined || informer.metadataOnly || hasPassed(informer, cached, written)) return cached;
    if (written.object !== undefined && !selects(informer, written.object)) return cached;
    return written.object as T | undefined;
  }

  list(options?: ListerListOptions): readonly T[] {
    return this.#informer.lister.list(options);
  }

  byIndex(name: string, value: string): readonly T[] {
    return this.#informer.lister.byIndex(name, value);
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
