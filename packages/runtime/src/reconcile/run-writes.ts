import type { ObjectWrite } from './reconcile-run.ts';

/** What one run writes, and the waits for the caches that follow from it. */
export class RunWrites {
  readonly #list: ObjectWrite[] = [];
  readonly #waits: Promise<void>[] = [];

  /** In order of their answers. */
  get list(): readonly ObjectWrite[] {
    return this.#list;
  }

  /** `seen` settles when the caches have the write, or have had long enough. */
  add(write: ObjectWrite, seen?: Promise<void>): void {
    this.#list.push(write);
    if (seen !== undefined) this.#waits.push(seen);
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
