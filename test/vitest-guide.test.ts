import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../packages/cli/src/run.ts';
import { root } from './imports.fixture.ts';

// test/packed/vitest.check.ts installs the example and runs its tests.
const example = join(root, 'examples/vitest');
const fileOf = (path: string): string => readFileSync(join(example, path), 'utf8');
const blocksOf = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, path = '', text = '']) => [path, text]),
  );
const page = readFileSync(join(root, 'docs/vitest.md'), 'utf8');

describe('examples/vitest', () => {
  it('has the files that docs/vitest.md shows', () => {
    const [current = ''] = page.split('\n## Use an older Vite');
    const blocks = blocksOf(current);
    expect(Object.keys(blocks)).toEqual([
      'vitest.config.ts',
      'src/greeting.controller.test.ts',
      'src/greeting.test.ts',
    ]);
    for (const [path, text] of Object.entries(blocks)) expect({ path, text: fileOf(path) }).toEqual({ path, text });
  });

  it('differs from the project of docs/own-project.md only where Vitest needs it', () => {
    const own = blocksOf(readFileSync(join(root, 'docs/own-project.md'), 'utf8'));
    for (const path of ['tsconfig.json', 'tsconfig.test.json', 'config/samples/greeting.yaml']) {
      expect(fileOf(path)).toBe(own[path]);
    }
    const theirs = JSON.parse(fileOf('package.json'));
    const { devDependencies, scripts, ...manifest } = JSON.parse(own['package.json'] ?? '');
    expect(theirs).toMatchObject({ ...manifest, scripts: { build: scripts.build, pretest: scripts.pretest } });
    const shared = Object.entries(devDependencies).filter(([name]) => !/jest|swc|rolldown/.test(name));
    expect(theirs.devDependencies).toMatchObject(Object.fromEntries(shared));
  });

  it('has generated files that are current', async () => {
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const exitCode = await run(['generate', '--check'], { folder: example, out: say, err: say });
    expect({ exitCode, lines: lines.filter((line) => !line.endsWith(' files are current')) }).toEqual({
      exitCode: 0,
      lines: [],
    });
  });
});
