import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../imports.fixture.ts';
import { describePacked } from './describe-packed.fixture.ts';

const page = readFileSync(join(root, 'docs/own-project.md'), 'utf8');
const files = [...page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(
  ([, name = '', text = '']) => [name, text] as const,
);
const [pack = '', install = ''] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text);

/** The packages of ours that an operator needs at run time, besides `evenkeel`. */
const ofOperators = ['apimachinery', 'client', 'core', 'kinds', 'runtime'];

describePacked('the project of docs/own-project.md', () => {
  let beside: string;
  let project: string;
  beforeAll(async () => {
    beside = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-own-project-'));
    project = join(beside, 'greeting-operator');
    for (const [name, text] of files) {
      await mkdir(dirname(join(project, name)), { recursive: true });
      await writeFile(join(project, name), text);
    }
    // A checkout next to the project. It is built, because `scripts/packed.sh` has run the first line.
    const checkout = join(beside, 'evenkeel');
    await mkdir(checkout);
    for (const name of ['package.json', 'packages', 'examples']) await symlink(join(root, name), join(checkout, name));
    expect(pack.split('\n')[0]).toBe('npm run build');
    shell(pack.split('\n').slice(1).join('\n'), checkout);
    shell(install, project, process.env);
  });
  afterAll(() => rm(beside, { recursive: true, force: true }));

  it('is installed, generated, compiled, bundled and tested', () => {
    shell('npm ls', project, process.env);
    for (const command of ['npx evenkeel generate', 'npm run build', 'npm run bundle']) shell(command, project);
    const { stderr, status } = spawnSync('npm', ['test'], { cwd: project, env: withNewNode(), encoding: 'utf8' });
    expect(stderr).toContain('Tests:       2 passed, 2 total');
    expect(status).toBe(0);
  });

  it('has @evenkeel/schema in its image, for a validator, if that is a dependency', async () => {
    const validating = join(beside, 'validating-operator');
    await cp(project, validating, { recursive: true, verbatimSymlinks: true });
    const manifest = JSON.parse(readFileSync(join(validating, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >;
    const { '@evenkeel/schema': schema = '', ...devDependencies } = manifest.devDependencies;
    const dependencies = { ...manifest.dependencies, '@evenkeel/schema': schema };
    await writeFile(join(validating, 'package.json'), JSON.stringify({ ...manifest, dependencies, devDependencies }));
    shell('npm install --prefer-offline && npm prune --omit=dev --no-audit', validating, process.env);
    expect(await readdir(join(validating, 'node_modules/@evenkeel'))).toEqual([...ofOperators, 'schema'].toSorted());
    const program = "await import('@evenkeel/schema/validator');";
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: validating });
  });

  it('has everything that it needs, and no server, without development dependencies', async () => {
    shell('npm prune --omit=dev --no-audit', project, process.env);
    expect(await readdir(join(project, 'node_modules/@evenkeel'))).toEqual(ofOperators);
    const { stdout, status } = spawnSync(process.execPath, ['dist/main.js', '--help'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(stdout).toContain('--kubeconfig');
    expect(status).toBe(0);
  });
});

/** Runs a program with the Node of these tests. */
function withNewNode(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
}

/**
 * Without the settings of an npm that started this process. Programs that use the registry run with the machine's Node,
 * which trusts the certificates of proxies.
 */
function shell(commands: string, cwd: string, environment = withNewNode()): void {
  const own = Object.entries(environment).filter(([name]) => !/^(?:npm_|NODE_OPTIONS|INIT_CWD)/.test(name));
  execFileSync('/bin/sh', ['-e', '-c', commands], {
    cwd,
    env: Object.fromEntries(own),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}
