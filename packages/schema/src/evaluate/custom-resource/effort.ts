import { LimitError } from '../nesting.ts';

/**
 * Some 5 s of work. A request of 3 MB, the most that an API server takes, asks for less than a hundredth of it by any
 * schema that was written to be of use.
 */
const maxEffort = 100_000_000;

/** A schema and an object together ask for more work than an evaluation may take, or for more errors than fit memory. */
export class EffortError extends LimitError {
  override readonly name = 'EffortError';

  constructor() {
    super('the schema asks for too much work on the object');
  }
}

/**
 * What an evaluation has taken so far, in units of about 50 ns or one byte of an error: schema and object are both from
 * outside, and the work is up to the product of their sizes.
 */
export class Effort {
  #left = maxEffort;

  /** Throws an EffortError where there has been too much. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new EffortError();
  }
}
