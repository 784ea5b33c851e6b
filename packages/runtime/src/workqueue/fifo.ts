const shortestRing = 16;
/** A longer ring is released when it is empty. */
const longestIdleRing = 1024;

/** A first-in-first-out queue without an allocation for each element: a ring buffer that doubles when it is full. */
export class Fifo<T> {
  #ring: (T | undefined)[] = new Array(shortestRing).fill(undefined);
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(element: T): void {
    if (this.#length === this.#ring.length) this.#grow();
    this.#ring[(this.#head + this.#length) & (this.#ring.length - 1)] = element;
    this.#length++;
  }

  /** Returns the oldest element; undefined if the queue is empty. */
  peek(): T | undefined {
    return this.#length === 0 ? undefined : this.#ring[this.#head];
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const element = this.#ring[this.#head];
    this.#ring[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#ring.length - 1);
    this.#length--;
    if (this.#length === 0 && this.#ring.length > longestIdleRing) {
      this.#ring = new Array(shortestRing).fill(undefined);
      this.#head = 0;
    }
    return element;
  }

  /** Drops the elements for which `keep` returns false, and keeps the order of the others. */
  retain(keep: (element: T) => boolean): void {
    const kept: T[] = [];
    for (let element = this.shift(); element !== undefined; element = this.shift())
      if (keep(element)) kept.push(element);
    for (const element of kept) this.push(element);
  }

  #grow(): void {
    const ring: (T | undefined)[] = new Array(this.#ring.length * 2).fill(undefined);
    for (let at = 0; at < this.#length; at++) ring[at] = this.#ring[(this.#head + at) & (this.#ring.length - 1)];
    this.#ring = ring;
    this.#head = 0;
  }
}
