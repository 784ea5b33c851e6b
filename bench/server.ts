import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasRealServer } from '../test/real-server.fixture.ts';
import { withBenchServer } from './bench-server.ts';
import { type Benchmark, type Figure, medianFigure } from './benchmark.ts';
import { type Report, report } from './run-program.ts';

interface Load {
  /** Of `load.mjs`. */
  readonly measure: string;
  readonly count: number;
  readonly objects?: number;
  readonly prefix?: string;
  readonly watchers?: number;
}

interface Measured {
  readonly name: string;
  readonly measure: string;
  readonly unit: Figure['unit'];
  readonly bar: number;
}

const measures: readonly Measured[] = [
  { name: 'create', measure: 'creates', unit: 'per second', bar: 5000 },
  { name: 'get', measure: 'gets', unit: 'per second', bar: 10_000 },
  { name: 'status', measure: 'status patches', unit: 'per second', bar: 4000 },
  { name: 'apply', measure: 'applies', unit: 'per second', bar: 2500 },
  { name: 'listMs', measure: 'list of all objects', unit: 'ms', bar: 100 },
  { name: 'eventMs', measure: 'create to watch event, p50', unit: 'ms', bar: 0.5 },
  { name: 'watchersMs', measure: 'as many events for as many watchers', unit: 'ms', bar: 3000 },
  { name: 'definitionMs', measure: 'a large CRD, sent to listable', unit: 'ms', bar: 700 },
  { name: 'residentMB', measure: 'memory with all objects', unit: 'MB', bar: 400 },
];

/** The embedded API server under load, alternately with the real one. */
export const server: Benchmark = {
  name: 'server',
  goal: 'the embedded API server over TLS, loaded by a separate process: requests per second with 16 in flight (a custom resource of 1 KB with a CEL rule), a list, the delay of a watch, many watches, a CRD of 1 MB, memory with 100,000 objects',
  nonGoals: 'the start (see start), the cost of our client (see requests), HTTP/2',
  run: async (size) => {
    const isSmall = size === 'small';
    const rounds = isSmall ? 1 : 3;
    const servers = !isSmall && hasRealServer() ? (['embedded', 'real'] as const) : (['embedded'] as const);
    const found = new Map(servers.map((which) => [which, [] as Report[]]));
    for (let round = 0; round < rounds; round++) {
      for (const which of servers) {
        found.get(which)?.push(await withBenchServer(which, (kubeconfig) => measured(kubeconfig, isSmall)));
      }
    }
    return measures.flatMap(({ name, measure, unit, bar }) =>
      [...found].map(([which, reports]) =>
        medianFigure(
          `${measure}: ${which}`,
          reports.map((each) => each[name] ?? Number.NaN),
          unit,
          which === 'embedded' ? bar : undefined,
        ),
      ),
    );
  },
};

function measured(kubeconfig: string, isSmall: boolean): Report {
  const objects = isSmall ? 50 : 10_000;
  const load = (given: Load): Report => report(['bench/programs/load.mjs', JSON.stringify({ kubeconfig, ...given })]);
  const perSecond = (measure: string, count: number): number =>
    load({ measure, count, objects })['perSecond'] ?? Number.NaN;
  const create = perSecond('create', objects);
  return {
    create,
    get: perSecond('get', objects * 3),
    status: perSecond('status', objects),
    apply: perSecond('apply', objects),
    ...load({ measure: 'list', count: isSmall ? 1 : 5, objects }),
    ...load({ measure: 'event', count: isSmall ? 5 : 500 }),
    ...load({ measure: 'watchers', count: isSmall ? 5 : 1000, watchers: isSmall ? 5 : 1000 }),
    ...load({ measure: 'definition', count: isSmall ? 20_000 : 1_000_000 }),
    residentMB: memoryAfter(kubeconfig, () =>
      load({ measure: 'create', count: isSmall ? 100 : 100_000, prefix: 'more' }),
    ),
  };
}

/** The resident memory of the server. */
function memoryAfter(kubeconfig: string, work: () => void): number {
  work();
  const pid = readFileSync(join(dirname(kubeconfig), 'apiserver.pid'), 'utf8');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kilobytes) * 1024) / 1e6;
}
