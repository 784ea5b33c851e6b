import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../../test/imports.fixture.ts';

/** The size of the young generation in MiB, after many short-lived and some long-lived objects, in a process with these flags. */
function grownMiB(...flags: string[]): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { keepYoungGenerationSmall } from './packages/runtime/src/process/young-generation.ts';
    keepYoungGenerationSmall();
    let kept = [];
    for (let at = 0; at < 1_500_000; at++) {
      kept.push({ at, in: [at] });
      if (kept.length > 200_000) kept = kept.slice(150_000);
    }
    console.log(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20);`;
  const node = join(root, 'node_modules/.bin/node');
  const output = execFileSync(node, [...flags, '--no-warnings', '--input-type=module', '-e', program], {
    cwd: root,
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  return Number(output);
}

/** It is 2 MiB, and 64 MiB without the limit. While a collection runs, as on a busy machine, V8 counts pages that it has left. */
const smallMiB = 16;

describe('keepYoungGenerationSmall()', () => {
  it('limits the size in a running process', () => {
    expect(grownMiB()).toBeLessThanOrEqual(smallMiB);
  });

  it('does not change a size that a flag sets', () => {
    expect(grownMiB('--max-semi-space-size=16')).toBeGreaterThan(smallMiB);
  });
});
