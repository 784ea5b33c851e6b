import type { ObjectWrite } from './reconcile-run.ts';

/** What one run writes, and the waits for the caches that follow from it. */
export class RunWrites {
  readonly #list: ObjectWrite[] = [];
  readonly #waits: Promise<void>[] = [];
  #ended = false;

  /** In order of their answers. */
  get list(): readonly ObjectWrite[] {
    return this.#list;
  }

  /** Takes nothing more: what the run left behind, a timer perhaps, may write for as long as the process lives. */
  end(): void {
    this.#ended = true;
  }

  /** `seen` settles when the caches have the write, or have had long enough. */
  add(write: ObjectWrite, seen?: Promise<void>): void {
    if (this.#ended) return;
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
