import { expect, it } from '@jest/globals';
import { loadOnce } from './load-once.ts';

it('loads once, also for calls at the same time', async () => {
  let loads = 0;
  const loaded = loadOnce(() => Promise.resolve(++loads));
  expect(await Promise.all([loaded(), loaded()])).toEqual([1, 1]);
  expect(await loaded()).toBe(1);
});

it('loads again after a failed load', async () => {
  const results = [Promise.reject(new Error('between two tests')), Promise.resolve('loaded')];
  const loaded = loadOnce(() => results.shift() ?? Promise.reject(new Error('loaded too often')));
  await expect(loaded()).rejects.toThrow('between two tests');
  expect(await loaded()).toBe('loaded');
  expect(await loaded()).toBe('loaded');
});
