import type { AppliedChild } from './applied-child.ts';

/** Up to this many entries, children that are gone are not dropped. */
const keptUnseen = 16;

/**
 * The state of the applied children of one owner, by kind and key. Children may be replaced every few minutes, for example if
 * their names contain a time. Therefore, entries of children that are gone are dropped whenever the number of entries has
 * doubled since the last check. There are at most twice as many entries as children, and the amortized cost of an apply is
 * constant.
 */
export class AppliedChildren {
  readonly #applied = new Map<string, AppliedChild>();
  #lookAt = keptUnseen;

  get size(): number {
    return this.#applied.size;
  }

  get(id: string): AppliedChild | undefined {
    return this.#applied.get(id);
  }

  /** `isThere` returns whether the cache has the object of an id. It may be false for the id that is set. */
  set(id: string, child: AppliedChild, isThere: (id: string) => boolean): void {
    if (this.#applied.size >= this.#lookAt && !this.#applied.has(id)) {
      for (const known of this.#applied.keys()) if (!isThere(known)) this.#applied.delete(known);
      this.#lookAt = Math.max(keptUnseen, 2 * this.#applied.size);
    }
    this.#applied.set(id, child);
  }

  delete(id: string): void {
    this.#applied.delete(id);
  }
}
