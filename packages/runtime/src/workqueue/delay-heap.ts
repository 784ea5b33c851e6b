/** An element of a {@link DelayHeap}. The heap sets `heapIndex`, which is -1 while the element is not in it. */
export interface Delayed {
  dueMs: number;
  /** Of elements that are due at the same time, the one with the lower order is first. */
  order: number;
  heapIndex: number;
}

/** A binary heap of delayed elements by time. Each element has its index, so that it can be moved or removed. */
export class DelayHeap<T extends Delayed> {
  readonly #heap: T[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** Returns the element that is due first. */
  peek(): T | undefined {
    return this.#heap[0];
  }

  push(element: T): void {
    this.#heap.push(element);
    this.#siftUp(element, this.#heap.length - 1);
  }

  /** Restores the order after an element's time has been moved earlier. */
  movedEarlier(element: T): void {
    this.#siftUp(element, element.heapIndex);
  }

  /** Removes an element. Does nothing if it is not in the heap. */
  remove(element: T): void {
    const at = element.heapIndex;
    if (at < 0) return;
    element.heapIndex = -1;
    const last = this.#heap.pop();
    if (last === undefined || last === element) return;
    this.#siftUp(last, at);
    this.#siftDown(last, last.heapIndex);
  }

  clear(): void {
    for (const element of this.#heap) element.heapIndex = -1;
    this.#heap.length = 0;
  }

  #siftUp(element: T, from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#heap[above];
      if (parent === undefined || !isBefore(element, parent)) break;
      this.#put(parent, at);
      at = above;
    }
    this.#put(element, at);
  }

  #siftDown(element: T, from: number): void {
    let at = from;
    for (;;) {
      const left = this.#heap[2 * at + 1];
      const right = this.#heap[2 * at + 2];
      const child = left !== undefined && right !== undefined && isBefore(right, left) ? right : left;
      if (child === undefined || !isBefore(child, element)) break;
      const below = child.heapIndex;
      this.#put(child, at);
      at = below;
    }
    this.#put(element, at);
  }

  #put(element: T, at: number): void {
    this.#heap[at] = element;
    element.heapIndex = at;
  }
}

function isBefore(left: Delayed, right: Delayed): boolean {
  return left.dueMs < right.dueMs || (left.dueMs === right.dueMs && left.order < right.order);
}
