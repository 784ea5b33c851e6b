import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../test/imports.fixture.ts';
import { type Benchmark, medianFigure } from './benchmark.ts';
import { node, timed } from './run-program.ts';

const command = join(root, 'packages', 'cli', 'bin', 'evenkeel.js');
const config = join(root, 'examples', 'nginx', 'evenkeel.config.ts');

/** A bundle, from the sources of an operator to the last finding about it. */
export const bundle: Benchmark = {
  name: 'bundle',
  goal: 'the time of "evenkeel bundle" and then "evenkeel bundle validate" for the nginx example, from the exec of node on built output to its exit',
  nonGoals: 'the lookup of digests in registries; images',
  run: async (size) => {
    const runs = size === 'small' ? 1 : 7;
    const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-bundle-'));
    try {
      const written: number[] = [];
      const validated: number[] = [];
      for (let run = 0; run < runs; run++) {
        const made = join(folder, String(run), 'bundle');
        written.push(timed(node, [command, 'bundle', '-c', config, '--folder', made]));
        validated.push(timed(node, [command, 'bundle', 'validate', made]));
      }
      const sums = written.map((time, run) => time + (validated[run] ?? 0));
      return [
        medianFigure(
          'the nginx example, written and validated: exec to exit',
          sums,
          'ms',
          size === 'full' ? 1500 : undefined,
        ),
        medianFigure('  written', written, 'ms'),
        medianFigure('  validated', validated, 'ms'),
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
