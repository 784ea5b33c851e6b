import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { createClient } from '@evenkeel/client';
import { eventually } from '@evenkeel/testing';
import { ConfigMap, CustomResourceDefinition, Lease } from 'evenkeel';
import { parse } from 'yaml';
import { freePorts } from '../free-ports.fixture.ts';
import { root } from '../imports.fixture.ts';
import { describePacked } from './describe-packed.fixture.ts';
import { Installation } from './installation.fixture.ts';
import { pack } from './package.fixture.ts';

// Shows what docs/other-runtimes.md says.
const example = join(root, 'examples/vitest');
const page = readFileSync(join(root, 'docs/other-runtimes.md'), 'utf8');
const greetings = {
  group: 'hello.example.com',
  version: 'v1',
  kind: 'Greeting',
  plural: 'greetings',
  namespaced: true,
};

let folder: string;
/** The operator of examples/vitest, as TypeScript. Its classes are injected, and its spec has a nested class. */
let project: Installation;
let server: ApiServer;
let kubeconfig: string;

/** The programs of the runtimes. Their npm packages contain them for each platform, so no install script is needed. */
const runtimes = {
  Bun: () => binary('node_modules/@oven', 'bin/bun'),
  Deno: () => binary('node_modules/@deno', 'deno'),
} as const;

function binary(scope: string, file: string): string {
  const scoped = join(project.folder, scope);
  const found = readdirSync(scoped)
    .map((name) => join(scoped, name, file))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${scope} has no program for this platform`);
  return found;
}

/** Returns the command in the page, as words, with the path of its program. */
function commandIn(heading: string, path: string): [string, ...string[]] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [, ...words] = (/^```sh\n(?:npx )?(.*)$/m.exec(section)?.[1] ?? '').split(' ');
  expect(words.at(-1)).toBe('src/main.ts');
  return [path, ...words];
}

/** Starts a program of a project; `output` returns its stdout and stderr until now. */
function start([program, ...programArguments]: readonly [string, ...string[]], cwd = project.folder) {
  const child = spawn(program, programArguments, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      DENO_DIR: join(folder, 'deno'),
      NO_COLOR: '1',
      KUBECONFIG: kubeconfig,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { child, ended: once(child, 'close'), output: () => output };
}

/** Returns the exit code and the output of a command that exits by itself. */
async function exitOf(command: readonly [string, ...string[]]): Promise<{ exitCode: number; output: string }> {
  const { ended, output } = start(command);
  const [exitCode] = await ended;
  return { exitCode, output: output() };
}

/** Runs an operator until it has greeted, followed a change and restored its child, then stops it with a signal. */
async function converges(
  command: readonly [string, ...string[]],
  signal: NodeJS.Signals,
  check: () => Promise<void> = async () => {},
  cwd?: string,
): Promise<number | null> {
  const client = createClient(server.transport(), { fieldManager: 'test' });
  const text = async () => (await client.get(ConfigMap, 'default/world')).data?.['text'];
  const within = { timeout: '90s' } as const;
  const { child, ended, output } = start(command, cwd);
  const tooSoon = ended.then(() => Promise.reject(new Error(`the operator exited by itself:\n${output()}`)));
  const metadata = { name: 'world', namespace: 'default' };
  try {
    await client.create(greetings, { metadata, spec: { name: 'World', language: 'en' } } as never);
    const work = async () => {
      await eventually(async () => expect(await text()).toBe('Hello, World!'), within);
      await client.patch(greetings, 'default/world', { merge: { spec: { language: 'fr' } } });
      await eventually(async () => expect(await text()).toBe('Bonjour, World!'), within);
      await client.delete(ConfigMap, 'default/world');
      await eventually(async () => expect(await text()).toBe('Bonjour, World!'), within);
      await check();
    };
    await Promise.race([work(), tooSoon]);
    child.kill(signal);
    const [exitCode] = await ended;
    return exitCode as number | null;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${output()}`, { cause: error });
  } finally {
    child.kill('SIGKILL');
    tooSoon.catch(() => undefined);
    await ended;
    await client.delete(greetings, 'default/world');
    await eventually(() => expect(text()).rejects.toMatchObject({ code: 404 }), within);
  }
}

describePacked('an operator as TypeScript, with HTTPS and a client certificate', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-runtimes-'));
    const tarballs = Object.fromEntries(
      (await pack(folder)).map(({ name, filename }) => [name, `file:${join(folder, filename)}`]),
    );
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'));
    const wanted = {
      ...dependencies,
      ...devDependencies,
      ...tarballs,
      tsx: '^4.23.15',
      bun: '^1.4.5',
      deno: '^2.9.6',
    };
    project = await Installation.create(join(folder, 'operator'), wanted, tarballs);
    const manifest = readFileSync(join(project.folder, 'package.json'), 'utf8');
    await cp(example, project.folder, { recursive: true });
    await project.write({ 'package.json': manifest });

    server = await ApiServer.create();
    const definition = parse(readFileSync(join(example, 'config/crd/hello.example.com_greetings.yaml'), 'utf8'));
    await createClient(server.transport(), { fieldManager: 'test' }).create(CustomResourceDefinition, definition);
    const { url, caPem, clientCertificate } = await server.listen();
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const user = {
      'client-certificate-data': base64(clientCertificate.certificatePem),
      'client-key-data': base64(clientCertificate.privateKeyPem),
    };
    kubeconfig = join(folder, 'kubeconfig');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'a', cluster: { server: url, 'certificate-authority-data': base64(caPem) } }],
      users: [{ name: 'a', user }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a', namespace: 'default' } }],
      'current-context': 'a',
    };
    await writeFile(kubeconfig, JSON.stringify(config));
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(['Bun', 'Deno'] as const)('converges with %s, and stops with exit code 0', async (name) => {
    const command = commandIn(name, runtimes[name]());
    const [health, metrics] = await freePorts(2);
    const lease = `greeting-${name.toLowerCase()}`;
    const options = [`--health-address=127.0.0.1:${health}`, `--metrics-address=127.0.0.1:${metrics}`];
    const declared = readFileSync(join(example, 'src/operator.ts'), 'utf8');
    const elects = declared.replace(
      'services:',
      `leaderElection: { name: '${lease}', namespace: 'default' },\n  services:`,
    );
    expect(elects).not.toBe(declared);
    await writeFile(join(project.folder, 'src/operator.ts'), elects);
    const check = async () => {
      expect((await fetch(`http://127.0.0.1:${health}/readyz`)).status).toBe(200);
      const measured = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
      expect(measured).toMatch(/^controller_runtime_reconcile_total\{controller="greeting",result="success"\} [1-9]/m);
      expect(measured).toMatch(/^process_resident_memory_bytes [1-9]/m);
      const client = createClient(server.transport(), { fieldManager: 'test' });
      expect((await client.get(Lease, `default/${lease}`)).spec?.holderIdentity).toMatch(/./);
    };
    expect(await converges([...command, ...options], 'SIGTERM', check)).toBe(0);
    expect(await converges(command, 'SIGINT')).toBe(0);
    expect((await exitOf([...command, '--bogus'])).exitCode).toBe(2);
  });

  it('passes its tests with bun test', async () => {
    const { exitCode, output } = await exitOf([runtimes.Bun(), 'test']);
    expect(output).toMatch(/^ 3 pass\n 0 fail$/m);
    expect(exitCode).toBe(0);
  });

  it.each([
    ['Bun', ['--bun']],
    ['Deno', ['run', '--allow-all']],
  ] as const)('is not generated with %s', async (name, options) => {
    const command = join(project.folder, 'node_modules/@evenkeel/cli/bin/evenkeel.js');
    expect(await exitOf([runtimes[name](), ...options, command, 'generate'])).toEqual({
      exitCode: 1,
      output: expect.stringMatching(
        new RegExp(
          `^evenkeel needs Node 22.19 or later, but this is ${name.toLowerCase()} .*; install Node and run npx`,
        ),
      ),
    });
  });

  it('fails with tsx because classes are injected, and names the reason', async () => {
    const command = commandIn('tsx', process.execPath);
    const tsx = join(project.folder, 'node_modules/tsx/dist/cli.mjs');
    const { exitCode, output } = await exitOf([command[0], tsx, ...command.slice(1)]);
    expect(output).toContain('GreetingController: the compiler did not record the types of its constructor parameters');
    expect(output).toContain('parameter-not-injectable');
    expect(exitCode).toBe(2);
  });

  it('converges with tsx if each parameter has @Inject', async () => {
    const named = join(folder, 'named');
    for (const path of ['src', 'tsconfig.json', 'package.json']) {
      await cp(join(project.folder, path), join(named, path), { recursive: true });
    }
    for (const [path, type] of [
      ['src/greeting.controller.ts', 'Dictionary'],
      ['src/dictionary.ts', 'Logger'],
    ] as const) {
      const code = readFileSync(join(named, path), 'utf8');
      const decorated = code
        .replace('import { ', 'import { Inject, ')
        .replace('constructor(', `constructor(@Inject(${type}) `);
      expect(decorated).toContain(`constructor(@Inject(${type}) private readonly`);
      await writeFile(join(named, path), decorated);
    }
    await symlink(join(project.folder, 'node_modules'), join(named, 'node_modules'));
    const tsx = join(project.folder, 'node_modules/tsx/dist/cli.mjs');
    expect(await converges([process.execPath, tsx, 'src/main.ts'], 'SIGTERM', undefined, named)).toBe(0);
  });
});
