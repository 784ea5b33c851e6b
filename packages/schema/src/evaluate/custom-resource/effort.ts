import { LimitError } from '../nesting.ts';

/**
 * About 5 s of work. A request of 3 MB, the API server's maximum, needs less than a hundredth of it with any useful schema.
 */
const maxEffort = 100_000_000;

/** A schema and an object together need more work than an evaluation may do, or cause more errors than fit into memory. */
export class EffortError extends LimitError {
  override readonly name = 'EffortError';

  constructor() {
    super('validation and defaults of the object need too much work');
  }
}

/**
 * The work of an evaluation so far, in units of about 50 ns or one byte of an error. Schema and object both come from
 * outside, and the work can grow with the product of their sizes.
 */
export class Effort {
  #left = maxEffort;

  /** Throws an EffortError if there was too much work. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new EffortError();
  }
}
