import type { Benchmark, Figure } from './benchmark.ts';
import { type Report, report } from './run-program.ts';

/** The conversion of a list by an operator's webhook, without the connection. */
export const conversion: Benchmark = {
  name: 'conversion',
  goal: 'the time of one ConversionReview of 1,000 objects of 2 KB, from the bytes of the request to the text of the response',
  nonGoals: 'HTTPS, the first reviews of a process',
  run: async (size) => {
    const [objects, rounds] = size === 'small' ? [20, 5] : [1000, 60];
    const { bytes = 0, ...times }: Report = report(['bench/programs/conversion.mjs', String(objects), String(rounds)]);
    const ms = (measure: string, name: string): Figure => ({ measure, value: times[name] ?? Number.NaN, unit: 'ms' });
    return [
      ms('two renames, to the hub', 'toHubMs'),
      ms('two renames, from the hub', 'fromHubMs'),
      ms('two renames in functions', 'functionsMs'),
      ms('two renames and a kept field', 'keptMs'),
      ms('  only JSON.parse and JSON.stringify', 'jsonMs'),
      { measure: 'the request', value: bytes / 1024, unit: 'KB' },
    ];
  },
};
