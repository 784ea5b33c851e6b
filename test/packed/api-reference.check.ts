import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../imports.fixture.ts';
import { describePacked } from './describe-packed.fixture.ts';
import { execute } from './installation.fixture.ts';

const { entryPoints } = JSON.parse(readFileSync(join(root, 'scripts/api-reference/typedoc.json'), 'utf8')) as {
  readonly entryPoints: readonly string[];
};

describePacked('npm run docs:api', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-api-reference-'));
    // It fails if a docstring has a broken link.
    await execute('npm', ['run', 'docs:api', '--', '--out', folder], root);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('writes an index of all entry points', () => {
    const index = readFileSync(join(folder, 'README.md'), 'utf8');
    const linked = [...index.matchAll(/^- \[(\S+)\]\((\S+)\)$/gm)].map(([, name = '', page = '']) => ({ name, page }));
    expect(linked).toHaveLength(entryPoints.length);
    for (const { name, page } of linked) {
      expect(page).toBe(`${name}/README.md`);
      expect(existsSync(join(folder, page))).toBe(true);
    }
  });

  it('writes a page of a decorator with its docstring', () => {
    const page = readFileSync(join(folder, 'evenkeel/functions/Owns.md'), 'utf8');
    expect(page).toContain('Declares a kind of children.');
  });
});
