import { execFileSync } from 'node:child_process';
import { hasRealServer } from '../test/real-server.fixture.ts';
import { withBenchServer } from './bench-server.ts';
import { type Benchmark, type Figure, median } from './benchmark.ts';
import { findPeers, type Peers } from './peers.ts';
import { node, report, reports } from './run-program.ts';

/** The number of requests of each verb, as multiples: a get is so short that the first second of a process would dominate. */
const verbs = { get: 4, create: 1, status: 1 } as const;

export const requests: Benchmark = {
  name: 'requests',
  goal: 'requests per second with 16 in flight, compared with client-go and the API classes of client-node',
  nonGoals: 'large responses, watches, single requests',
  run: async (size) => {
    const [count, runs] = size === 'small' ? [50, 1] : [5000, 3];
    return size === 'full' && hasRealServer()
      ? await withBenchServer('real', (kubeconfig) => measure(kubeconfig, count, runs, findPeers()))
      : await withBenchServer('embedded', (kubeconfig) => measure(kubeconfig, count, runs, undefined));
  },
};

function measure(kubeconfig: string, count: number, runs: number, peers: Peers | undefined): Figure[] {
  reports(node, ['bench/programs/write.mjs', kubeconfig, 'create', String(count * verbs.get)]);
  return Object.entries(verbs).flatMap(([verb, times]) => {
    const all: Record<'evenkeel' | 'client-go' | 'client-node', number[]> = {
      evenkeel: [],
      'client-go': [],
      'client-node': [],
    };
    for (let at = 0; at < runs; at++) {
      for (const who of ['evenkeel', 'client-node'] as const) {
        const { perSecond = Number.NaN } = report([
          'bench/programs/requests.mjs',
          kubeconfig,
          who,
          verb,
          String(who === 'evenkeel' ? count * times : Math.ceil(count / 5)),
        ]);
        all[who].push(perSecond);
      }
      if (peers === undefined) continue;
      const namespace = `load-${verb}-${at}`;
      if (verb === 'create') execFileSync('kubectl', ['--kubeconfig', kubeconfig, 'create', 'namespace', namespace]);
      const where = verb === 'create' ? ['-ns', namespace] : [];
      const [figures = {}] = reports(peers.load, [verb, '-n', String(count * times), '-c', '16', ...where], {
        KUBECONFIG: kubeconfig,
      });
      all['client-go'].push(figures['perSecond'] ?? Number.NaN);
    }
    return Object.entries(all)
      .filter(([, values]) => values.length > 0)
      .map(([who, values]): Figure => ({ measure: `${verb}: ${who}`, value: median(values), unit: 'per second' }));
  });
}
