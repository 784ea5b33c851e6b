import { CostExceeded } from './evaluation-limit.ts';
import type { CelValue } from './value.ts';

/** The part of a compiled expression that computes one node. */
export type Evaluator = (frame: Frame) => CelValue;

/** The total size that all operations of one evaluation may create without being charged. */
const maxUnchargedSize = 1 << 23;

/** The variables of one evaluation and its cost so far. */
export class Frame {
  readonly slots: (CelValue | undefined)[];
  readonly #limit: number;
  #spent = 0;
  #uncharged = 0;

  constructor(slots: (CelValue | undefined)[], limit: number) {
    this.slots = slots;
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  charge(cost: number): void {
    this.#spent += cost;
    if (this.#spent > this.#limit) throw new CostExceeded();
  }

  /** Counts a created size that was not charged. */
  watch(size: number): void {
    this.#uncharged += size;
    if (this.#uncharged > maxUnchargedSize) throw new CostExceeded();
  }
}
