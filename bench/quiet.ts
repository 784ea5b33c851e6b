import { hasRealServer } from '../test/real-server.fixture.ts';
import { withBenchServer } from './bench-server.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { node, report, reports } from './run-program.ts';

/** What an operator does where nothing is to be done, and what it does for its Lease where much is. */
export const quiet: Benchmark = {
  name: 'quiet',
  goal: 'that a resync of what is as desired writes nothing, and that a large sync does not hold up the renewals of a Lease',
  nonGoals: 'how fast a cache fills (informer), how fast an operator writes (reconcile)',
  run: async (size) => {
    const isReal = size === 'full' && hasRealServer();
    const [objects, many] = size === 'small' ? [100, 500] : [10_000, 100_000];
    return await withBenchServer(isReal ? 'real' : 'embedded', async (kubeconfig) => [
      ...resync(kubeconfig, objects),
      ...(await renewals(kubeconfig, many)),
    ]);
  },
};

function resync(kubeconfig: string, objects: number): Figure[] {
  reports(node, ['bench/programs/write.mjs', kubeconfig, 'create', String(objects)]);
  const operator = ['bench/programs/quiet.mjs', kubeconfig, String(objects)];
  const first = report(operator);
  const second = report(operator);
  return [
    { measure: `${objects} objects with a child each, converged`, value: first['ms'] ?? Number.NaN, unit: 'ms' },
    { measure: '  writes of that', value: first['writes'] ?? Number.NaN, unit: 'writes' },
    { measure: '  a full resync of them', value: second['ms'] ?? Number.NaN, unit: 'ms' },
    { measure: '  writes of that', value: second['writes'] ?? Number.NaN, unit: 'writes', bar: 0 },
  ];
}

async function renewals(kubeconfig: string, objects: number): Promise<Figure[]> {
  reports(node, ['bench/programs/write.mjs', kubeconfig, 'create', String(objects)]);
  const {
    ms = Number.NaN,
    renewals: count = Number.NaN,
    latestMs = Number.NaN,
  } = report(['bench/programs/renewals.mjs', kubeconfig, String(objects)]);
  return [
    {
      measure: `${objects} objects, synced and reconciled by a leader`,
      value: ms,
      unit: 'ms',
    },
    { measure: '  renewals of its Lease seen', value: count, unit: 'writes' },
    // Kept above zero, which would be the sign of nothing measured: where the first came late, the next seem early.
    {
      measure: '  the latest of them came later than its time by',
      value: Math.max(latestMs, 0.001),
      unit: 'ms',
      bar: 200,
    },
  ];
}
