import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './imports.fixture.ts';

const script = join(root, 'scripts/stale-output.mjs');

/** Removes stale output as a build does; returns the paths that it reports. */
function removeIn(folder: string): unknown {
  const program = `import { removeStaleOutput } from ${JSON.stringify(script)};
console.log(JSON.stringify(removeStaleOutput(${JSON.stringify(folder)})));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('a build', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-stale-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (...files: string[]): void => {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
  };
  const files = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort();

  it('removes the output of a source that was deleted or moved to another folder', () => {
    const moved = ['packages/core/dist/plan.d.ts', 'packages/core/dist/plan.d.ts.map'];
    const deleted = ['examples/web/dist/below/page.js', 'examples/web/dist/below/page.d.ts'];
    const kept = [
      'packages/core/src/plan/plan.ts',
      'packages/core/dist/plan-1a2b.js',
      'packages/core/dist/plan/plan.d.ts',
      'examples/web/src/main.ts',
      'examples/web/dist/main.js',
    ];
    write(...moved, ...deleted, ...kept);
    expect(removeIn(folder)).toHaveLength(4);
    expect(files()).toEqual(kept.toSorted());
    expect(removeIn(folder)).toEqual([]);
  });

  it('keeps files that no compiler wrote, and a dist without sources next to it', () => {
    const others = [
      'packages/core/dist/.tsbuildinfo',
      'packages/core/dist/data.json',
      'packages/core/dist/operator.mjs',
      'packages/core/bin/command.js',
      'packages/core/src/index.ts',
      'packages/vendored/dist/index.js',
      'bench/dist/index.js',
      'packages/note.js',
    ];
    write(...others);
    expect(removeIn(folder)).toEqual([]);
    expect(files()).toEqual(others.toSorted());
  });

  it('removes nothing without build output', () => {
    expect(removeIn(folder)).toEqual([]);
  });
});
