// Random tests need millions of numbers, and in the global object of a test runner each lookup of Math takes longer than the
// rest of the call.
const { floor, imul } = Math;

/** The source of random numbers. With a seeded one, a run can be replayed. */
export abstract class Random {
  /** Returns a number of at least 0 and less than 1. */
  abstract next(): number;

  /** Returns an integer from 0 up to, but not including, `bound`. */
  integer(bound: number): number {
    return floor(this.next() * bound);
  }
}

/** Random numbers that differ in each process. Do not use it for secrets. */
export class SystemRandom extends Random {
  next(): number {
    return Math.random();
  }
}

/** The same numbers for the same seed on every machine (mulberry32). Do not use it for secrets. */
export class SeededRandom extends Random {
  #state: number;

  constructor(seed: number) {
    super();
    this.#state = seed | 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
}
