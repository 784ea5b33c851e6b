import { ManualClock, type Random, SeededRandom } from '@evenkeel/core';
import { seed } from '../../../../test/seed.fixture.ts';
import { ReflectorBackoff } from './reflector-backoff.ts';
import { RefusedWatches } from './refused-watches.ts';

/** The delays of so many failures, each waited out. */
async function delaysOf(backoff: ReflectorBackoff, clock: ManualClock, times: number): Promise<number[]> {
  const delays: number[] = [];
  for (let at = 0; at < times; at++) {
    const delayMs = backoff.nextMs();
    delays.push(delayMs);
    await clock.advance(delayMs);
  }
  return delays;
}

function start(random: Random, refused = new RefusedWatches()): { backoff: ReflectorBackoff; clock: ManualClock } {
  const clock = new ManualClock();
  return { clock, backoff: new ReflectorBackoff(clock, random, refused) };
}

const noChance = { next: () => 0 } as Random;

describe('ReflectorBackoff', () => {
  it('doubles from 0.8 s to at most 30 s', async () => {
    const { backoff, clock } = start(noChance);
    expect(await delaysOf(backoff, clock, 7)).toEqual([800, 1600, 3200, 6400, 12_800, 15_000, 15_000]);
  });

  it(`randomizes each delay between once and twice its length (seed ${seed})`, async () => {
    const { backoff, clock } = start(new SeededRandom(seed));
    for (const delayMs of (await delaysOf(backoff, clock, 50)).slice(10)) {
      expect(delayMs).toBeGreaterThanOrEqual(15_000);
      expect(delayMs).toBeLessThanOrEqual(30_000);
    }
  });

  it('resets after two minutes without a failure, and not before', async () => {
    const { backoff, clock } = start(noChance);
    await delaysOf(backoff, clock, 3);
    await clock.advance(120_000);
    expect(await delaysOf(backoff, clock, 1)).toEqual([6400]);
    await clock.advance(120_001);
    expect(await delaysOf(backoff, clock, 1)).toEqual([800]);
  });

  it('resets after a success', async () => {
    const { backoff, clock } = start(noChance);
    await delaysOf(backoff, clock, 3);
    backoff.reset();
    expect(await delaysOf(backoff, clock, 2)).toEqual([800, 1600]);
  });

  it('resets after any number of rejections', () => {
    const { backoff } = start(noChance);
    for (let at = 0; at < 10; at++) backoff.nextMs(true);
    expect([1, 2, 3].map(() => backoff.nextMs())).toEqual([800, 1600, 3200]);
    for (let at = 0; at < 10; at++) backoff.nextMs();
    expect([1, 2].map(() => backoff.nextMs(true))).toEqual([800, 1000]);
  });

  it('is 1 to 2 s after a rejection, and longer only if all retries exceed 20 per second', () => {
    const refused = new RefusedWatches();
    const { backoff } = start(noChance, refused);
    expect([1, 2, 3].map(() => backoff.nextMs(true))).toEqual([800, 1000, 1000]);
    const watches = Array.from({ length: 300 }, () => ({}));
    for (const watch of watches) refused.set(watch, true);
    // 300 watches that wait 10 to 20 s ask 20 times a second on the average.
    for (let at = 0; at < 6; at++) backoff.nextMs(true);
    expect(backoff.nextMs(true)).toBe(10_000);
    for (const watch of watches) refused.set(watch, false);
    expect(backoff.nextMs(true)).toBe(1000);
  });
});
