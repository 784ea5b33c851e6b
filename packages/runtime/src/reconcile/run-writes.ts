import { type ApiResource, groupResourceOf, type KubernetesObject, type ObjectKey } from '@evenkeel/core';
import type { ObjectWrite } from './reconcile-run.ts';
import type { RunReach } from './run-reach.ts';

/** The result of a run's last write of an object. */
export interface WrittenObject {
  /** Frozen. Undefined if the object is gone. */
  readonly object: KubernetesObject | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/** The writes of one run, and the promises that wait until the caches contain them. */
export class RunWrites {
  readonly #list: ObjectWrite[] = [];
  readonly #waits: Promise<void>[] = [];
  /** The last write of each object, by resource and key. */
  readonly #written = new Map<string, Map<string, WrittenObject>>();
  #ended = false;
  /** The restriction of the run and of the work that it leaves behind. Undefined: not restricted. */
  reach: RunReach | undefined;

  /** In the order of their responses. */
  get list(): readonly ObjectWrite[] {
    return this.#list;
  }

  /** Ignores later writes: work that the run left behind, such as a timer, may write at any later time. */
  end(): void {
    this.#ended = true;
    this.#written.clear();
  }

  /** `seen` settles when the caches contain the write or the wait timed out. `written` is the object that they will contain. */
  add(write: ObjectWrite, seen?: Promise<void>, written?: WrittenObject): void {
    if (this.#ended) return;
    this.#list.push(write);
    if (seen !== undefined) this.#waits.push(seen);
    if (written === undefined) return;
    const name = groupResourceOf(write.resource);
    const objects = this.#written.get(name);
    if (objects === undefined) this.#written.set(name, new Map([[String(write.key), written]]));
    else objects.set(String(write.key), written);
  }

  /** Returns the last write of an object. Undefined after the run has ended. */
  written(resource: ApiResource, key: ObjectKey | string): WrittenObject | undefined {
    // Listers call this for each read, and most runs have written nothing.
    return this.#written.size === 0 ? undefined : this.writtenOf(resource)?.get(String(key));
  }

  /** Returns the last writes of a kind's objects, by key. Undefined: none. */
  writtenOf(resource: ApiResource): ReadonlyMap<string, WrittenObject> | undefined {
    return this.#written.size === 0 ? undefined : this.#written.get(groupResourceOf(resource));
  }

  /** Whether there are writes to wait for. */
  get isAwaited(): boolean {
    return this.#waits.length > 0;
  }

  /** Resolves when the caches contain all writes, or the wait timed out. */
  async seen(): Promise<void> {
    await Promise.all(this.#waits);
  }
}
