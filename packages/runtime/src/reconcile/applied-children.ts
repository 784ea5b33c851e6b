import type { AppliedChild } from './applied-child.ts';

/** Up to so many are kept without looking whether they are still there. */
const keptUnseen = 16;

/**
 * What is known of the children that one owner has applied, by kind and key. Names may follow from a time, so that every
 * few minutes there is another child and an old one goes: those that are gone are dropped whenever as many have come as
 * were there after the last look, so that there are never more than twice as many as children, and looking costs each
 * apply the same.
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

  /** `isThere` says of an id whether the cache has such an object; the one that is set need not be there yet. */
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
