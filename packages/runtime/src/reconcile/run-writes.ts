import { type ApiResource, groupResourceOf, type KubernetesObject, type ObjectKey } from '@evenkeel/core';
import type { RunReach } from './namespace-fence.ts';
import type { ObjectWrite } from './reconcile-run.ts';

/** The server's answer to a write of a run. */
export interface WrittenObject {
  /** Frozen; undefined where the object is gone. */
  readonly object: KubernetesObject | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/** What one run writes, and the waits for the caches that follow from it. */
export class RunWrites {
  readonly #list: ObjectWrite[] = [];
  readonly #waits: Promise<void>[] = [];
  /** The last answer to each object's writes, by resource and key. */
  readonly #written = new Map<string, Map<string, WrittenObject>>();
  #ended = false;
  /** Where the run, and what it leaves behind, may read and write; undefined: everywhere. */
  reach: RunReach | undefined;

  /** In order of their answers. */
  get list(): readonly ObjectWrite[] {
    return this.#list;
  }

  /** Takes nothing more: what the run left behind, a timer perhaps, may write for as long as the process lives. */
  end(): void {
    this.#ended = true;
    this.#written.clear();
  }

  /** `seen` settles when the caches have the write, or have had long enough; `written` is what they will have then. */
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

  /** What the server answered to the last write of an object; undefined once the run has ended. */
  written(resource: ApiResource, key: ObjectKey | string): WrittenObject | undefined {
    // Listers ask this at each read, and most runs have written nothing.
    return this.#written.size === 0 ? undefined : this.writtenOf(resource)?.get(String(key));
  }

  /** The same for all objects of a kind, by key; undefined where the run has written none. */
  writtenOf(resource: ApiResource): ReadonlyMap<string, WrittenObject> | undefined {
    return this.#written.size === 0 ? undefined : this.#written.get(groupResourceOf(resource));
  }

  /** Whether there is anything to wait for. */
  get isAwaited(): boolean {
    return this.#waits.length > 0;
  }

  /** Resolves when the caches have passed all of it, or have had long enough. */
  async seen(): Promise<void> {
    await Promise.all(this.#waits);
  }
}
