import type { Benchmark } from './benchmark.ts';
import { report } from './run-program.ts';

export const workqueue: Benchmark = {
  name: 'workqueue',
  goal: 'the cost of a key in a long queue: add, get and done',
  nonGoals: 'waiting workers, delays and backoff, which cost as much as timers',
  run: async (size) => {
    const keys = size === 'small' ? 1000 : 100_000;
    const { nsPerKey = Number.NaN } = report(['bench/programs/workqueue.mjs', String(keys)]);
    return [{ measure: `add, get and done with ${keys} keys, for each key`, value: nsPerKey, unit: 'ns', bar: 250 }];
  },
};
