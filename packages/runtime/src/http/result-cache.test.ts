import { ManualClock } from '@evenkeel/core';
import { ResultCache } from './result-cache.ts';

describe('ResultCache', () => {
  const minute = (): number => 60_000;

  it('calls ask() once while a result is valid, and again after it has expired', async () => {
    const clock = new ManualClock();
    const cache = new ResultCache<number>(clock, 10);
    let asked = 0;
    const get = (): Promise<number> => cache.get('a', minute, async () => ++asked);
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    await clock.advance(59_999);
    expect(await get()).toBe(1);
    await clock.advance(1);
    expect(await get()).toBe(2);
  });

  it('measures the time from the arrival of the result, and calls ask() once however long it takes', async () => {
    const clock = new ManualClock();
    const cache = new ResultCache<string>(clock, 10);
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = cache.get('a', minute, () => promise);
    await clock.advance(300_000);
    const second = cache.get('a', minute, () => Promise.reject(new Error('asked twice')));
    resolve('result');
    expect(await Promise.all([first, second])).toEqual(['result', 'result']);
    await clock.advance(59_000);
    expect(await cache.get('a', minute, async () => 'later')).toBe('result');
  });

  it('does not cache a failure', async () => {
    const cache = new ResultCache<string>(new ManualClock(), 10);
    await expect(cache.get('a', minute, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(cache.size).toBe(0);
    expect(await cache.get('a', minute, async () => 'there')).toBe('there');
  });

  it('keeps only the latest results, up to its limit', async () => {
    const cache = new ResultCache<number>(new ManualClock(), 3);
    for (let at = 0; at < 100; at++) await cache.get(`token ${at}`, minute, async () => at);
    expect(cache.size).toBe(3);
    expect(await cache.get('token 99', minute, async () => -1)).toBe(99);
    expect(await cache.get('token 0', minute, async () => -1)).toBe(-1);
  });
});
