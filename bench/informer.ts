import { hasRealServer } from '../test/real-server.fixture.ts';
import { withBenchServer } from './bench-server.ts';
import { type Benchmark, type Figure, median } from './benchmark.ts';
import { findPeers, type Peers } from './peers.ts';
import { node, type Report, reports, reportsWhile } from './run-program.ts';

const program = ['--expose-gc', 'bench/programs/informer.mjs'];

interface Run {
  readonly syncedMs: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly heapMiB: number;
}

/** A cache of many objects, compared with other frameworks on one server. */
export const informer: Benchmark = {
  name: 'informer',
  goal: 'the cost of filling and holding a cache of 100,000 objects, and the delay until a change reaches its handler',
  nonGoals: 'the server: all use the same one, which two lists have warmed up; objects larger than 1.35 KB',
  run: async (size) => {
    if (size === 'full' && hasRealServer()) {
      const full = { objects: 100_000, runs: 3, seconds: 300, peers: findPeers() };
      return await withBenchServer('real', (kubeconfig) => measure(kubeconfig, full));
    }
    const small = { objects: 500, runs: 1, seconds: 1, peers: undefined };
    const measured = size === 'small' ? small : { ...small, objects: 20_000, runs: 3, seconds: 60 };
    return await withBenchServer('embedded', (kubeconfig) => measure(kubeconfig, measured));
  },
};

interface Measured {
  readonly objects: number;
  readonly runs: number;
  readonly seconds: number;
  readonly peers: Peers | undefined;
}

async function measure(kubeconfig: string, { objects, runs, seconds, peers }: Measured): Promise<Figure[]> {
  const write = (...what: string[]) => ['bench/programs/write.mjs', kubeconfig, ...what];
  reports(node, write('create', String(objects)));
  const environment = { KUBECONFIG: kubeconfig };
  const ours: Run[] = [];
  const go: Run[] = [];
  const rust: Run[] = [];
  // In turn, so that a slow minute of the machine affects all of them.
  for (let at = 0; at < runs; at++) {
    ours.push(runOf(reports(node, [...program, kubeconfig])));
    if (peers === undefined) continue;
    go.push(peerRun(peers.controllerRuntime, '-sync-only', environment));
    rust.push(peerRun(peers.kubeRs, '--sync-only', environment));
  }
  const figures: Figure[] = [];
  const add = (who: string, all: readonly Run[], bars: Partial<Record<keyof Run, number>> = {}): void => {
    if (all.length === 0) return;
    for (const [key, measure, unit] of [
      ['syncedMs', `${objects} objects, from the exec to synced`, 'ms'],
      ['cpuMs', '  processor time until then', 'ms'],
      ['peakMiB', '  peak memory', 'MiB'],
      ['heapMiB', '  heap after a collection', 'MiB'],
    ] as const) {
      const bar = bars[key];
      const value = median(all.map((run) => run[key]));
      figures.push({ measure: `${who}: ${measure}`, value, unit, ...(bar === undefined ? {} : { bar }) });
    }
  };
  const of = (all: readonly Run[], key: keyof Run): number => median(all.map((run) => run[key]));
  add(
    'evenkeel',
    ours,
    go.length === 0
      ? {}
      : barsFrom(
          (key) => of(go, key),
          (key) => of(rust, key),
        ),
  );
  add('controller-runtime', go);
  add('kube-rs', rust);
  figures.push(...(await underUpdates(kubeconfig, seconds, objects, write)));
  return figures;
}

/** 10,000 updates a minute while the cache holds all. */
async function underUpdates(
  kubeconfig: string,
  seconds: number,
  objects: number,
  write: (...what: string[]) => string[],
): Promise<Figure[]> {
  const perSecond = 167;
  // The writer starts while the cache still fills, and is stopped after the measurement. On a busy machine, one may
  // wait for the other.
  const longest = seconds + Math.ceil(objects / 8000) + 300;
  const [printed] = await reportsWhile(
    [[...program, kubeconfig, String(seconds)]],
    [write('update', String(perSecond), String(longest), String(Math.min(objects, 10_000)))],
  );
  const stayed = printed?.at(-1) ?? {};
  const { p50Ms = Number.NaN, p99Ms = Number.NaN, grownMiB = Number.NaN } = stayed;
  return [
    {
      measure: `evenkeel: ${perSecond} updates a second for ${seconds} s, write to handler, p50`,
      value: p50Ms,
      unit: 'ms',
    },
    { measure: '  p99', value: p99Ms, unit: 'ms', bar: 20 },
    // At least slightly more than zero, which would mean "not measured": a heap may also shrink.
    { measure: '  heap grown meanwhile', value: Math.max(grownMiB, 0.001), unit: 'MiB', bar: 2 },
  ];
}

function barsFrom(go: (key: keyof Run) => number, rust: (key: keyof Run) => number): Record<keyof Run, number> {
  return {
    syncedMs: Math.min(0.5 * go('syncedMs'), rust('syncedMs')),
    cpuMs: Math.min(0.3 * go('cpuMs'), rust('cpuMs')),
    peakMiB: Math.min(0.65 * go('peakMiB'), rust('peakMiB')),
    heapMiB: Math.min(0.65 * go('heapMiB'), rust('heapMiB')),
  };
}

function runOf(lines: readonly Report[]): Run {
  const [synced = {}, settled = {}] = lines;
  const { ms = Number.NaN, cpuMs = Number.NaN, peakMiB = Number.NaN } = synced;
  return { syncedMs: ms, cpuMs, peakMiB, heapMiB: settled['heapMiB'] ?? Number.NaN };
}

/** The peers do not report their processor time, so the shell measures it for the whole run. */
function peerRun(peer: string, flag: string, environment: Readonly<Record<string, string>>): Run {
  const script = `TIMEFORMAT='{"user":%U,"system":%S}'; { time "${peer}" ${flag} 2>/dev/null; } 2>&1`;
  const lines = reports('bash', ['-c', script], environment);
  const { user = Number.NaN, system = Number.NaN } = lines.at(-1) ?? {};
  return { ...runOf(lines), cpuMs: (user + system) * 1000 };
}
