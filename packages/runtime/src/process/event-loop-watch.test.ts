import { Clock, type Timer } from '@evenkeel/core';
import { EventLoopWatch } from './event-loop-watch.ts';

/** A clock whose only timer fires with the delay that the test sets. */
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
  it('measures the delay, keeps the longest, and reports delays of more than a second', async () => {
    const clock = new LateClock();
    const reported: number[] = [];
    let beats = 0;
    const watch = new EventLoopWatch(
      clock,
      (forMs) => reported.push(forMs),
      () => beats++,
    );
    await watch.start();
    clock.fire(3);
    expect(watch.state).toEqual({ delayMs: 3, longestDelayMs: 3 });
    clock.fire(1000);
    expect(reported).toEqual([]);
    clock.fire(1000.5);
    expect(reported).toEqual([1001]);
    clock.fire(0);
    expect(watch.state).toEqual({ delayMs: 0, longestDelayMs: 1000.5 });
    expect(beats).toBe(4);
    await watch.stop();
    expect(clock.isIdle).toBe(true);
  });
});
