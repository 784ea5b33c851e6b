import type { Benchmark } from './benchmark.ts';
import { report } from './run-program.ts';

export const webhook: Benchmark = {
  name: 'webhook',
  goal: 'the cost of a call of a validating webhook, with an object of 2 KB',
  nonGoals: 'the API server, and code of the user',
  run: async (size) => {
    const calls = size === 'small' ? 200 : 20_000;
    const figures = report(['bench/programs/webhook.mjs', String(calls)]);
    const { inProcessUs = Number.NaN, p50Ms = Number.NaN, p99Ms = Number.NaN, perSecond = Number.NaN } = figures;
    return [
      { measure: 'in process', value: inProcessUs, unit: 'us', bar: 100 },
      { measure: 'over HTTPS with 16 in flight, p50', value: p50Ms, unit: 'ms' },
      { measure: '  p99', value: p99Ms, unit: 'ms' },
      { measure: '  calls', value: perSecond, unit: 'per second' },
    ];
  },
};
