import type { CelValue } from './value.ts';

/** The part of a compiled expression that computes one node. */
export type Evaluator = (frame: Frame) => CelValue;

/** Ends an evaluation that exceeds the limit of a call; an expression cannot catch it. */
export class CostExceeded extends Error {}

/**
 * The longest string and the longest list that one operation may create. Upstream has no such limit and does not charge for
 * the size of some results. A request has at most 3 MiB, so no useful expression comes near it.
 */
const maxTextLength = 1 << 24;
const maxListSize = 1 << 24;
/** The total size that all operations of one evaluation may create without being charged. */
const maxUnchargedSize = 1 << 23;

/** Ends the evaluation if a string of this length is too long. */
export function limitText(length: number): void {
  if (length > maxTextLength) throw new CostExceeded();
}

/** Ends the evaluation if a list of this size is too long. */
export function limitList(size: number): void {
  if (size > maxListSize) throw new CostExceeded();
}

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
