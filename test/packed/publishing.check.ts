import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../imports.fixture.ts';
import { describePacked } from './describe-packed.fixture.ts';
import { execute } from './installation.fixture.ts';
import { manifestOf, type Packed, pack } from './package.fixture.ts';

const tools = join(root, 'scripts/package-checks');

describePacked('publint and Are the types wrong?', () => {
  let folder: string;
  let packed: readonly Packed[];
  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-publishing-'));
    packed = await pack(folder);
    const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    await execute('npm', ['ci', ...quiet], tools);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const check = (...tarballs: readonly string[]): Promise<string> =>
    execute(process.execPath, [join(tools, 'check.mjs'), ...tarballs], root);

  it('find nothing wrong in the packages', async () => {
    expect(packed.length).toBeGreaterThan(9);
    expect(await check(...packed.map(({ filename }) => join(folder, filename)))).toBe('');
  });

  it('find a file that is missing, and types that are', async () => {
    const { name, version } = manifestOf('evenkeel');
    const source = join(folder, 'broken');
    await cp(join(root, 'packages/evenkeel'), join(source, 'package'), { recursive: true });
    const path = join(source, 'package/package.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    manifest.exports['.'] = { types: './dist/missing.d.ts', default: './dist/missing.js' };
    await writeFile(path, JSON.stringify(manifest));
    const tarball = join(source, `${name}-${version}.tgz`);
    execFileSync('tar', ['-czf', tarball, '-C', source, 'package']);
    const found = await check(tarball);
    expect(found).toMatch(/publint FILE_DOES_NOT_EXIST: /);
    expect(found).toMatch(/attw NoResolution: /);
  });
});
