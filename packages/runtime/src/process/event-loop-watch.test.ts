import { Clock, type Timer } from '@evenkeel/core';
import { EventLoopWatch } from './event-loop-watch.ts';

/** A clock whose only timer fires as late as the test says. */
class LateClock extends Clock {
  #nowMs = 0;
  #due: { readonly atMs: number; readonly callback: () => void } | undefined;

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, callback: () => void): Timer {
    this.#due = { atMs: this.#nowMs + delayMs, callback };
    return {
      cancel: () => {
        this.#due = undefined;
      },
    };
  }

  get isIdle(): boolean {
    return this.#due === undefined;
  }

  fire(lateMs: number): void {
    this.#nowMs = (this.#due?.atMs ?? this.#nowMs) + lateMs;
    this.#due?.callback();
  }
}

describe('EventLoopWatch', () => {
  it('measures how late it is called, keeps the longest, and tells of more than a second', async () => {
    const clock = new LateClock();
    const told: number[] = [];
    let beats = 0;
    const watch = new EventLoopWatch(
      clock,
      (forMs) => told.push(forMs),
      () => beats++,
    );
    await watch.start();
    clock.fire(3);
    expect(watch.state).toEqual({ delayMs: 3, longestDelayMs: 3 });
    clock.fire(1000);
    expect(told).toEqual([]);
    clock.fire(1000.5);
    expect(told).toEqual([1001]);
    clock.fire(0);
    expect(watch.state).toEqual({ delayMs: 0, longestDelayMs: 1000.5 });
    expect(beats).toBe(4);
    await watch.stop();
    expect(clock.isIdle).toBe(true);
  });
});
