import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../test/imports.fixture.ts';
import { type Benchmark, type Figure, median } from './benchmark.ts';
import { column, report } from './run-program.ts';

const folder = join(root, '..', 'shared', 'crds');

/** Checks of whole CRDs, as in `generate` and the embedded API server. */
export const definitions: Benchmark = {
  name: 'definitions',
  goal: 'the cost of checking a whole CRD, alone and in a new process: structure, defaults, compilation and cost estimation of CEL',
  nonGoals: 'reading YAML, which takes longer, and repeated checks of a CRD',
  run: async (size) => {
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.yaml')) : [];
    if (files.length === 0) console.log('skipped: the CRDs of public projects, which are not next to this checkout');
    const times = size === 'small' ? 1 : 5;
    const bytes = size === 'small' ? 50_000 : 800_000;
    const chosen = size === 'small' ? files.slice(0, 1) : files;
    return [
      checked(`a CRD of ${bytes / 1000} kB`, ['--made', String(bytes)], times),
      ...chosen.map((file) => checked(file.replace(/\.yaml$/, ''), [join(folder, file)], times)),
    ];
  },
};

/** The maximum for each. */
const barMs = 500;

function checked(measure: string, options: readonly string[], times: number): Figure {
  const reports = Array.from({ length: times }, () => report(['bench/programs/definitions.mjs', ...options]));
  return { measure, value: median(column(reports, 'checkMs')), unit: 'ms', bar: barMs };
}
