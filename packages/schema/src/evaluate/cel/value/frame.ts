import type { CelValue } from './value.ts';

/** The part of a compiled expression that computes one node. */
export type Evaluator = (frame: Frame) => CelValue;

/** Ends an evaluation that costs more than a call may; nothing in an expression can catch it. */
export class CostExceeded extends Error {}

/**
 * The longest text and the longest list one operation may make. Upstream has no such limit and charges nothing for
 * the size of some results; a request has at most 3 MiB, so no expression that means well comes near.
 */
const maxTextLength = 1 << 24;
const maxListSize = 1 << 24;
/** What all operations of one evaluation together may make beyond what they are charged for. */
const maxUnchargedSize = 1 << 23;

/** Ends the evaluation when a text of this length is about to be made. */
export function limitText(length: number): void {
  if (length > maxTextLength) throw new CostExceeded();
}

/** Ends the evaluation when a list of this size is about to be made. */
export function limitList(size: number): void {
  if (size > maxListSize) throw new CostExceeded();
}

/** The variables of one evaluation and what it has cost so far. */
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

  /** Takes note of what was made without being charged for. */
  watch(size: number): void {
    this.#uncharged += size;
    if (this.#uncharged > maxUnchargedSize) throw new CostExceeded();
  }
}
