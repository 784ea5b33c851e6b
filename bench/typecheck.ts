import { join } from 'node:path';
import { root } from '../test/imports.fixture.ts';
import { type Benchmark, median } from './benchmark.ts';
import { node, timed } from './run-program.ts';

const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** The time that the compiler needs for a user's project, of which most is the declarations of the packages. */
export const typecheck: Benchmark = {
  name: 'typecheck',
  goal: 'the time of "tsc --noEmit" of the example operator against the built declarations, from the exec of node to its exit',
  nonGoals: 'incremental checks, an editor that stays open, the sources of the packages, many kinds',
  run: async (size) => {
    const runs = size === 'small' ? 1 : 9;
    const check = (project: string): number[] =>
      Array.from({ length: runs }, () =>
        timed(node, [
          compiler,
          '--noEmit',
          '--incremental',
          'false',
          '--composite',
          'false',
          '-p',
          join(root, project),
        ]),
      );
    return [
      { measure: 'examples/nginx', value: median(check('examples/nginx')), unit: 'ms' },
      { measure: 'examples/cronjob', value: median(check('examples/cronjob')), unit: 'ms' },
    ];
  },
};
