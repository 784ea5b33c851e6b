import type { Benchmark } from './benchmark.ts';
import { report } from './run-program.ts';

export const workqueue: Benchmark = {
  name: 'workqueue',
  goal: 'what one key costs on its way through a queue of many: add, get and done',
  nonGoals: 'waiting workers, delays and backoff, whose cost is that of timers',
  run: async (size) => {
    const keys = size === 'small' ? 1000 : 100_000;
    const { nsPerKey = Number.NaN } = report(['bench/programs/workqueue.mjs', String(keys)]);
    return [{ measure: `add, get and done at ${keys} keys, each`, value: nsPerKey, unit: 'ns', bar: 250 }];
  },
};
