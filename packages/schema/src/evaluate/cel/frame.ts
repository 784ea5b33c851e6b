import type { CelValue } from './value.ts';

/** The part of a compiled expression that computes one node. */
export type Evaluator = (frame: Frame) => CelValue;

/** Ends an evaluation that costs more than a call may; nothing in an expression can catch it. */
export class CostExceeded extends Error {}

/** The variables of one evaluation and what it has cost so far. */
export class Frame {
  readonly slots: (CelValue | undefined)[];
  readonly #limit: number;
  #spent = 0;

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
}
