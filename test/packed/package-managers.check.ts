import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../imports.fixture.ts';
import { describePacked } from './describe-packed.fixture.ts';
import { gitIdentity } from './git-identity.fixture.ts';
import { execute } from './installation.fixture.ts';
import { LocalRegistry } from './local-registry.fixture.ts';
import { pack } from './package.fixture.ts';
import { PlatformRegistry } from './platform-registry.fixture.ts';
import { repack } from './repacked.fixture.ts';

/** The tested versions, which docs/create.md lists. */
const versions = { pnpm: '12.21.0', yarn: '1.22.22', '@yarnpkg/cli-dist': '4.18.1', bun: '1.4.5' };
const [from, to] = ['0.1.0', '0.2.0-test.1'];

interface Manager {
  readonly title: string;
  /** The command, and its program below node_modules. */
  readonly name: string;
  readonly program: string;
  readonly create: string;
  /** The word that runs a program of a package. */
  readonly runs: string;
  readonly lockfile: string;
}
const create = `create evenkeel@${from}`;
const managers: readonly Manager[] = [
  { title: 'pnpm', name: 'pnpm', program: 'pnpm/bin/pnpm.mjs', create, runs: 'exec', lockfile: 'pnpm-lock.yaml' },
  // This yarn always uses the latest version.
  {
    title: 'yarn 1',
    name: 'yarn',
    program: 'yarn/bin/yarn.js',
    create: 'create evenkeel',
    runs: 'run',
    lockfile: 'yarn.lock',
  },
  {
    title: 'yarn 4',
    name: 'yarn',
    program: '@yarnpkg/cli-dist/bin/yarn.js',
    create,
    runs: 'run',
    lockfile: 'yarn.lock',
  },
  { title: 'bun', name: 'bun', program: '@oven/bun-PLATFORM/bin/bun', create, runs: 'run', lockfile: 'bun.lock' },
];

/** What only the tests of a project need. Without them, an installation takes some seconds. */
const forTests = /^(?:@evenkeel\/testing|@jest\/globals|@swc\/.*|@types\/node|jest|typescript)$/;

describePacked('another package manager than npm', () => {
  let folder: string;
  let platform: PlatformRegistry;
  let old: LocalRegistry;
  let current: LocalRegistry;

  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-managers-'));
    const packed = join(folder, 'packed');
    await mkdir(packed);
    await pack(packed);
    const tarball = (
      await execute('npm', ['pack', '--pack-destination', packed], join(root, 'packages/create-evenkeel'))
    ).trim();
    expect(await readdir(packed)).toContain(tarball);
    await repack(packed, join(folder, 'old'), from, '- The first version.\n');
    await repack(packed, join(folder, 'next'), to, '### Added\n\n- Package managers.\n');
    platform = await PlatformRegistry.start();
    old = await LocalRegistry.start([join(folder, 'old')], { upstream: platform.url });
    current = await LocalRegistry.start([join(folder, 'old'), join(folder, 'next')], { upstream: platform.url });
    const programs = join(folder, 'programs');
    await mkdir(programs);
    await writeFile(join(programs, 'package.json'), JSON.stringify({ private: true, dependencies: versions }));
    const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    await execute('npm', ['install', ...quiet], programs);
  });
  afterAll(async () => {
    await Promise.all([old?.stop(), current?.stop()]);
    await platform?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A home folder with settings for a registry, and the programs of a manager first on the PATH. */
  async function variablesOf(
    { title, name, program }: Manager,
    registry: LocalRegistry,
  ): Promise<Record<string, string>> {
    const home = join(folder, title.replace(' ', '-'));
    const bin = join(home, 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(home, '.npmrc'), `registry=${registry.url}\nupdate-notifier=false\n`);
    const path = join(
      folder,
      'programs/node_modules',
      program.replace('PLATFORM', `${process.platform}-${process.arch}`),
    );
    await rm(join(bin, name), { force: true });
    if (/js$/.test(path)) {
      await writeFile(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${path}" "$@"\n`);
      await chmod(join(bin, name), 0o755);
    } else {
      await symlink(path, join(bin, name));
      await rm(join(bin, `${name}x`), { force: true });
      await symlink(path, join(bin, `${name}x`));
    }
    const { host, origin } = new URL(registry.url);
    return {
      HOME: home,
      PATH: [bin, dirname(process.execPath), process.env['PATH']].join(':'),
      NO_COLOR: '1',
      // As root, yarn 1 uses /usr/local instead of the home folder.
      PREFIX: home,
      YARN_CACHE_FOLDER: join(home, 'cache'),
      YARN_GLOBAL_FOLDER: join(home, 'global'),
      pnpm_config_registry: registry.url,
      YARN_NPM_REGISTRY_SERVER: origin,
      YARN_UNSAFE_HTTP_WHITELIST: host.split(':')[0] ?? '',
      ...gitIdentity,
    };
  }

  it.each(managers)('creates, runs and upgrades a project: $title', async (manager) => {
    const { name, lockfile, runs } = manager;
    const before = await variablesOf(manager, old);
    const home = before['HOME'] ?? '';
    const options = ['shop', '--kind', 'Shop', '--group', 'shop.example.com', '--no-install'];
    const created = await execute(name, [...manager.create.split(' '), ...options], home, before);
    expect(created).toContain(`next: cd shop && ${name} install && ${name} run dev\n`);
    const project = join(home, 'shop');
    const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
    const kept = Object.entries(manifest.devDependencies).filter(([each]) => !forTests.test(each));
    const small = { ...manifest, devDependencies: Object.fromEntries(kept) };
    await writeFile(join(project, 'package.json'), `${JSON.stringify(small, null, 2)}\n`);

    // In CI, yarn would not write the lockfile of a new project.
    await execute(name, ['install'], project, { ...before, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' });
    expect(await readdir(project)).toContain(lockfile);
    expect(await execute(name, ['run', 'dev', '--once'], project, before)).toMatch(/available +default\/shop-sample/);
    await execute('git', ['add', '--all'], project, before);
    await execute('git', ['commit', '--quiet', '--message', 'Shop'], project, before);
    const tracked = await execute('git', ['ls-files'], project, before);
    expect(tracked.split('\n')).toContain(lockfile);
    expect(tracked).not.toMatch(/install-state|node_modules/);

    const after = await variablesOf(manager, current);
    const upgraded = await execute(name, [runs, 'evenkeel', 'upgrade'], project, after);
    expect(upgraded).toContain('package.json changed: ');
    expect(upgraded).toContain(`what changed in ${to}:\n`);
    expect(await readFile(join(project, lockfile), 'utf8')).toContain(to);
    const run = (...words: string[]) => execute(join(project, 'node_modules/.bin/evenkeel'), words, project, after);
    expect(await run('--version')).toBe(`${to}\n`);
    expect(await run('generate', '--check')).toMatch(/files are current/);
  });

  it('has the versions in docs/create.md', async () => {
    const page = await readFile(join(root, 'docs/create.md'), 'utf8');
    const shown = Object.values(versions).filter((version) => !page.includes(version));
    expect(shown).toEqual([]);
  });
});
