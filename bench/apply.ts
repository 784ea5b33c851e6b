import { hasRealServer } from '../test/real-server.fixture.ts';
import { withBenchServer } from './bench-server.ts';
import { type Benchmark, type Figure, median } from './benchmark.ts';
import { node, reports } from './run-program.ts';
import { type ProgramEvent, RunningProgram } from './running-program.ts';

const workers = '16';
/** How often each object is reconciled with nothing to do. One round is too short for a figure. */
const quietRounds = 5;

interface ApplyEvent extends ProgramEvent {
  readonly cpuMs: number;
  /** Requests that the operator has sent so far, reads included. */
  readonly requests: number;
}

/** What an operator did between two of its events, with `objects` children. */
interface Phase {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly requests: number;
}

const phases = {
  created: 'first applies, which create the children',
  quiet: 'runs in which nothing differs',
  changed: 'applies of a changed child',
} as const;
type PhaseName = keyof typeof phases;

/** An operator with a child for each object, from nothing to a change of all children. */
export const apply: Benchmark = {
  name: 'apply',
  goal: 'the throughput of an operator with 16 workers that creates, compares and changes children, its processor time and its requests',
  nonGoals:
    'children that others change, large children, a restart (quiet); the server, which is the bottleneck of all writes',
  run: async (size) => {
    const which = size === 'full' && hasRealServer() ? 'real' : 'embedded';
    const [objects, runs] = size === 'small' ? [100, 1] : [5000, 3];
    return await withBenchServer(which, (kubeconfig) => measure(kubeconfig, objects, runs));
  },
};

async function measure(kubeconfig: string, objects: number, runs: number): Promise<Figure[]> {
  const write = (...what: string[]) => reports(node, ['bench/programs/write.mjs', kubeconfig, ...what]);
  write('create', String(objects));
  const operators: Record<string, () => RunningProgram<ApplyEvent>> = {
    evenkeel: () => new RunningProgram(node, ['bench/programs/apply.mjs', kubeconfig, workers, String(objects)]),
  };
  const all = new Map<string, [PhaseName, Phase][]>(Object.keys(operators).map((who) => [who, []]));
  // In turn, so that a slow minute of the machine affects all of them.
  for (let at = 0; at < runs; at++) {
    for (const [who, start] of Object.entries(operators)) {
      write('clear');
      write('share', 'first', 'first');
      all.get(who)?.push(...(await phasesOf(start(), write, objects)));
    }
  }
  return [...all].flatMap(([who, measured]) => figuresOf(who, measured, objects));
}

async function phasesOf(
  operator: RunningProgram<ApplyEvent>,
  write: (...what: string[]) => void,
  objects: number,
): Promise<[PhaseName, Phase][]> {
  const phaseBetween = async (from: string, to: string): Promise<Phase> => {
    const started = await operator.next(from);
    const ended = await operator.next(to);
    return {
      perSecond: (objects * 1000) / (ended.ms - started.ms),
      cpuUs: ((ended.cpuMs - started.cpuMs) * 1000) / objects,
      requests: ended.requests - started.requests,
    };
  };
  try {
    const measured: [PhaseName, Phase][] = [['created', await phaseBetween('synced', 'applied')]];
    for (let round = 1; round <= quietRounds; round++) {
      write('share', 'first', `quiet-${round}`);
      measured.push(['quiet', await phaseBetween('triggered', 'ran')]);
    }
    write('share', 'second', 'changed');
    measured.push(['changed', await phaseBetween('triggered', 'applied')]);
    return measured;
  } finally {
    await operator.stop();
  }
}

function figuresOf(who: string, measured: readonly [PhaseName, Phase][], objects: number): Figure[] {
  return Object.entries(phases).flatMap(([name, measure]): Figure[] => {
    const all = measured.filter(([of]) => of === name).map(([, phase]) => phase);
    // If nothing differs, a single request is too many, so the largest number counts.
    const sent = Math.max(...all.map(({ requests }) => requests));
    return [
      {
        measure: `${who}: ${objects} ${measure}`,
        value: median(all.map(({ perSecond }) => perSecond)),
        unit: 'per second',
      },
      { measure: '  processor time of each', value: median(all.map(({ cpuUs }) => cpuUs)), unit: 'us' },
      { measure: '  requests for all', value: sent, unit: 'requests', ...(name === 'quiet' ? { bar: 0 } : {}) },
    ];
  });
}
