import { hasRealServer } from '../test/real-server.fixture.ts';
import { withBenchServer } from './bench-server.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { node, report, reports } from './run-program.ts';

/** The work of an operator that has nothing to do, and the renewals of its Lease while it has much to do. */
export const quiet: Benchmark = {
  name: 'quiet',
  goal: 'that a resync of objects in their desired state writes nothing, and that a large sync does not delay the renewals of a Lease',
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
    { measure: '  its writes', value: first['writes'] ?? Number.NaN, unit: 'writes' },
    { measure: '  a full resync of these objects', value: second['ms'] ?? Number.NaN, unit: 'ms' },
    { measure: '  its writes', value: second['writes'] ?? Number.NaN, unit: 'writes', bar: 0 },
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
    { measure: '  observed renewals of its Lease', value: count, unit: 'writes' },
    // At least slightly more than zero, which would mean "not measured": if the first renewal was late, the next ones
    // seem early.
    {
      measure: '  the maximum delay of a renewal',
      value: Math.max(latestMs, 0.001),
      unit: 'ms',
      bar: 200,
    },
  ];
}
