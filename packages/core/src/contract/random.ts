// Random tests ask for millions of numbers, and inside of a test runner's own global object each look-up of Math costs more
// than all the rest.
const { floor, imul } = Math;

/** Where chance comes from; a seeded one replays a run. */
export abstract class Random {
  /** At least 0, less than 1. */
  abstract next(): number;

  /** An integer from 0 up to, not including, `bound`. */
  integer(bound: number): number {
    return floor(this.next() * bound);
  }
}

/** The process's own, different in each run. Not for secrets. */
export class SystemRandom extends Random {
  next(): number {
    return Math.random();
  }
}

/** The same numbers for the same seed, on every machine (mulberry32). Not for secrets. */
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
