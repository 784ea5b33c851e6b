import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '@evenkeel/testing';
import { freePorts } from '../free-ports.fixture.ts';
import { root } from '../imports.fixture.ts';
import { describePacked } from './describe-packed.fixture.ts';
import { execute } from './installation.fixture.ts';
import { folders, manifestOf, pack } from './package.fixture.ts';

/** Verdaccio 6.10.4 needs a tag of node-fetch that the registry no longer has. */
const registryPackage = {
  private: true,
  dependencies: { verdaccio: '6.10.4' },
  overrides: { 'node-fetch': '2.7.0' },
};

/** Our packages are published here, and all others come from npm's registry. */
const registryConfig = `storage: ./storage
uplinks: { npmjs: { url: 'https://registry.npmjs.org/' } }
packages:
  '@evenkeel/*': { access: $all, publish: $all }
  '{create-evenkeel,evenkeel}': { access: $all, publish: $all }
  '**': { access: $all, proxy: npmjs }
log: { type: stdout, level: error }
`;

describePacked('npm create evenkeel, from a registry on this machine', () => {
  let folder: string;
  let registry: ChildProcess;
  let environment: Record<string, string>;
  let published: string;
  let repeated: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-create-'));
    const server = join(folder, 'registry');
    await mkdir(server);
    await writeFile(join(server, 'package.json'), JSON.stringify(registryPackage));
    await writeFile(join(server, 'config.yaml'), registryConfig);
    const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    await execute('npm', ['install', ...quiet], server);
    const [port] = await freePorts(1);
    const program = join(server, 'node_modules/verdaccio/bin/verdaccio');
    registry = spawn(process.execPath, [program, '--config', 'config.yaml', '--listen', `127.0.0.1:${port}`], {
      cwd: server,
      stdio: 'ignore',
    });
    const url = `http://127.0.0.1:${port}/`;
    await eventually(async () => expect((await fetch(`${url}-/ping`)).status).toBe(200), { timeout: '60s' });
    environment = {
      npm_config_registry: url,
      // The registry needs some token, and accepts any.
      [`npm_config_//127.0.0.1:${port}/:_authToken`]: 'any',
      // Packages of another run must not come from npm's cache.
      npm_config_cache: join(folder, 'cache'),
      npm_config_loglevel: 'error',
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      NO_COLOR: '1',
    };
    const tarballs = join(folder, 'tarballs');
    await mkdir(tarballs);
    await pack(tarballs);
    const again = join(folder, 'again');
    await mkdir(again);
    const command = await execute('npm', ['pack', '--pack-destination', again], join(root, 'packages/create-evenkeel'));
    await copyFile(join(again, command.trim()), join(tarballs, command.trim()));
    const publish = (from: string) =>
      execute(process.execPath, [join(root, 'scripts/publish.mjs'), from], folder, environment);
    published = await publish(tarballs);
    repeated = await publish(again);
  });
  afterAll(async () => {
    registry?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('has every package after those that it depends on, and a repeated publication changes nothing', async () => {
    const names = published
      .split('\n')
      .flatMap((line) => /^(\S+)@\S+ published with the tag latest$/.exec(line)?.[1] ?? []);
    expect(names.toSorted()).toEqual([...folders, 'create-evenkeel'].map((each) => manifestOf(each).name).toSorted());
    expect(names.indexOf('@evenkeel/cli')).toBeLessThan(names.indexOf('create-evenkeel'));
    expect(names.indexOf('@evenkeel/runtime')).toBeLessThan(names.indexOf('evenkeel'));
    expect(repeated).toBe(`create-evenkeel@${manifestOf('create-evenkeel').version} is published already\n`);
  });

  it('prints the correct command if "--" is missing, and creates nothing', async () => {
    const command = ['create', '--yes', 'evenkeel@latest', 'shop', '--kind', 'Shop', '--group=shop.example.com'];
    // npm 12 rejects the options itself, so our command does not run.
    const { message } = await execute('npm', command, folder, environment).then(
      (message) => ({ message }),
      (error: Error) => error,
    );
    expect(message).toMatch(
      / run "npm create evenkeel@latest shop -- --kind Shop --group shop\.example\.com" |Unknown cli flags:\n.*--kind/,
    );
    expect(await readdir(folder)).not.toContain('shop');
  });

  it('creates a project that converges, passes its tests and is built', async () => {
    const command = ['create', '--yes', 'evenkeel@latest', 'cache-operator', '--', '--kind', 'Memcached', '--yes'];
    const started = performance.now();
    const created = await execute('npm', command, folder, environment);
    expect(created).toContain('created cache-operator: 11 files\n');
    expect(created).toContain('next: cd cache-operator && npm run dev\n');
    const project = join(folder, 'cache-operator');
    const converged = await execute('npm', ['run', 'dev', '--', '--once'], project, environment);
    console.log(`npm create to converged: ${((performance.now() - started) / 1000).toFixed(1)} s without npm's cache`);
    expect(converged).toMatch(/available +default\/memcached-sample/);
    await execute('npm', ['test'], project, environment);
    expect(await execute('npm', ['run', 'build'], project, environment)).toContain('dist/operator.mjs written');
    const files = (await readdir(project)).filter((name) => !['.git', 'config', 'dist', 'node_modules'].includes(name));
    expect(files.sort()).toEqual(
      [
        '.evenkeel',
        '.gitignore',
        'README.md',
        'evenkeel.config.ts',
        'package-lock.json',
        'package.json',
        'samples',
        'src',
      ].concat('tsconfig.json'),
    );
    const ignored = await execute('git', ['status', '--porcelain', '--ignored'], project);
    expect(ignored.match(/^!! .*/gm)).toEqual([
      '!! .evenkeel/',
      '!! config/',
      '!! dist/',
      '!! node_modules/',
      '!! src/fields.ts',
    ]);
  });
});
