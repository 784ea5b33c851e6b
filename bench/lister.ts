import { withBenchServer } from './bench-server.ts';
import type { Benchmark } from './benchmark.ts';
import { report } from './run-program.ts';

export const lister: Benchmark = {
  name: 'lister',
  goal: 'the cost of a read from a cache, and of an idle informer',
  nonGoals: 'reads by label selector, which check every object of the namespace',
  run: async (size) => {
    const objects = size === 'small' ? 1000 : 100_000;
    const informers = size === 'small' ? 100 : 1000;
    const { byKeyNs = Number.NaN, byIndexUs = Number.NaN } = report(['bench/programs/lister.mjs', String(objects)]);
    const { heapBytes = Number.NaN, socketsEach = Number.NaN } = await withBenchServer('embedded', (kubeconfig) =>
      report(['--expose-gc', 'bench/programs/idle-informers.mjs', kubeconfig, String(informers)]),
    );
    return [
      { measure: `by key, of ${objects}`, value: byKeyNs, unit: 'ns', bar: 100 },
      { measure: `by an index, 100 of ${objects}`, value: byIndexUs, unit: 'us', bar: 10 },
      { measure: `heap of each of ${informers} idle informers`, value: heapBytes / 1000, unit: 'KB', bar: 60 },
      { measure: '  sockets of each', value: socketsEach, unit: 'sockets', bar: 1 },
    ];
  },
};
