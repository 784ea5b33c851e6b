import { hasRealServer } from '../test/real-server.fixture.ts';
import { withBenchServer } from './bench-server.ts';
import { type Benchmark, type Figure, median } from './benchmark.ts';
import { findPeers, type Peers } from './peers.ts';
import { node, report, reports } from './run-program.ts';
import { RunningProgram } from './running-program.ts';

const workers = '16';
/** The number of timed changes, one object at a time. */
const changes = 500;

interface Run {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The same operator in several frameworks: one status write for each object. */
export const reconcile: Benchmark = {
  name: 'reconcile',
  goal: 'the throughput of status writes of an operator with 16 workers, its resources, and the delay until it reacts to a change',
  nonGoals: 'reconciles that compute or have children; the server, which all share and which is the bottleneck',
  run: async (size) => {
    if (size === 'full' && hasRealServer()) {
      const full = { objects: 10_000, runs: 3, peers: findPeers() };
      return await withBenchServer('real', (kubeconfig) => measure(kubeconfig, full));
    }
    const [objects, runs] = size === 'small' ? [200, 1] : [10_000, 3];
    return await withBenchServer('embedded', (kubeconfig) => measure(kubeconfig, { objects, runs, peers: undefined }));
  },
};

interface Measured {
  readonly objects: number;
  readonly runs: number;
  readonly peers: Peers | undefined;
}

async function measure(kubeconfig: string, { objects, runs, peers }: Measured): Promise<Figure[]> {
  const write = (...what: string[]) => reports(node, ['bench/programs/write.mjs', kubeconfig, ...what]);
  write('create', String(objects));
  const environment = { KUBECONFIG: kubeconfig };
  const expected = String(objects);
  const operators: Record<string, () => RunningProgram> = {
    evenkeel: () => new RunningProgram(node, ['bench/programs/reconcile.mjs', kubeconfig, workers, expected]),
    ...(peers === undefined
      ? {}
      : {
          'controller-runtime': () =>
            new RunningProgram(peers.controllerRuntime, ['-workers', workers, '-expect', expected], environment),
          'kube-rs': () => new RunningProgram(peers.kubeRs, ['--workers', workers, '--expect', expected], environment),
        }),
  };
  const all = new Map<string, Run[]>(Object.keys(operators).map((who) => [who, []]));
  // In turn, so that a slow minute of the machine affects all of them.
  for (let at = 0; at < runs; at++) {
    for (const [who, start] of Object.entries(operators)) {
      write('touch', String(objects));
      all.get(who)?.push(await runOf(start(), kubeconfig, objects));
    }
  }
  return figuresOf(objects, all);
}

async function runOf(operator: RunningProgram, kubeconfig: string, objects: number): Promise<Run> {
  try {
    const synced = await operator.next('synced');
    const done = await operator.next('done');
    const { cpuMs } = operator;
    const { p50Ms = Number.NaN, p99Ms = Number.NaN } = report([
      'bench/programs/write.mjs',
      kubeconfig,
      'latency',
      String(Math.min(objects, changes)),
    ]);
    return { perSecond: (objects * 1000) / (done.ms - synced.ms), cpuMs, peakMiB: done.peakMiB, p50Ms, p99Ms };
  } finally {
    await operator.stop();
  }
}

function figuresOf(objects: number, all: ReadonlyMap<string, readonly Run[]>): Figure[] {
  const of = (who: string, key: keyof Run): number => median((all.get(who) ?? []).map((run) => run[key]));
  return [...all.keys()].flatMap((who) =>
    (
      [
        ['perSecond', `${objects} status writes, from synced to the last`, 'per second', 1],
        ['cpuMs', '  processor time, from the exec', 'ms', 0.8],
        ['peakMiB', '  peak memory', 'MiB', 1.4],
        ['p50Ms', 'a changed spec until its status is seen, p50', 'ms', 1],
        ['p99Ms', '  p99', 'ms', 1.2],
      ] as const
    ).map(([key, measure, unit, ofGo]): Figure => {
      const bar = ofGo * of('controller-runtime', key);
      const hasBar = who === 'evenkeel' && !Number.isNaN(bar);
      return { measure: `${who}: ${measure}`, value: of(who, key), unit, ...(hasBar ? { bar } : {}) };
    }),
  );
}
