import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examples } from './examples.fixture.ts';
import { root } from './imports.fixture.ts';
import { hasPseudoTerminal, startInTerminal } from './pseudo-terminal.fixture.ts';
import {
  describeOnEmbeddedServer,
  describeWithRealServer,
  type RealServer,
  startRealServer,
} from './real-server.fixture.ts';

// `npm start` runs built code. `npm test` builds first; a direct run of jest may not.
const isBuilt = existsSync(join(root, 'packages/cli/dist/main.js'));
if (!isBuilt) console.log('skipped: the packages are not built, so nothing can be started');
const describeBuilt = isBuilt ? describeOnEmbeddedServer : describe.skip;

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The message about a build that takes more than 2 s. On a busy machine, even a build without changes may take longer. */
const slowBuild = /^prepare: built in [\d.]+ s\n/;

/** The time limit of a sample on a busy machine. */
const patience = '2m';

/** Runs `npm start -- ...` with its output in pipes, as in CI. */
function npmStart(...options: string[]): Promise<Ended> {
  const child: ChildProcess = spawn('npm', ['--silent', 'start', '--', ...options], {
    cwd: root,
    // The server has no metrics-server, so the README of memhog starts it with simulated metrics.
    env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: undefined, METRICS: 'simulated' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 180_000,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ exitCode: code ?? 255, stdout, stderr: stderr.replace(slowBuild, '') }));
  });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const colour = /\u001b\[/;

describeBuilt('npm start', () => {
  it('converges and exits with --once, and prints plain lines without a terminal', async () => {
    const { exitCode, stdout, stderr } = await npmStart('--once', '--timeout', patience);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    for (const step of [
      /server +listening on https:\/\/127\.0\.0\.1:\d+/,
      /crd +generated and installed nginxes\.web\.example\.com/,
      /manager +started: controller nginx/,
      /sample +applied Nginx default\/web/,
      /reconcile +default\/web: Nginx added(?:, ConfigMap welcome added)? -> created Service web, created Deployment web, wrote status {2}[\d.]+ m?s/,
      /available +default\/web/,
    ]) {
      expect(stdout).toMatch(step);
    }
    expect(stdout).not.toMatch(colour);
  });

  it('reports why it has not converged in time with --once', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'evenkeel-start-'));
    const sample = join(directory, 'sample.yaml');
    writeFileSync(
      sample,
      'apiVersion: web.example.com/v1alpha1\nkind: Nginx\nmetadata: { name: lost }\nspec: { pageConfigMap: nowhere }\n',
    );
    // Enough time for the first reconcile, which writes the condition.
    const { exitCode, stderr } = await npmStart('--once', '--timeout', '4s', '--sample', sample);
    rmSync(directory, { recursive: true });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error: Nginx default\/lost has not converged: .*Degraded=True \(PageNotFound: ConfigMap nowhere does not exist.*\[not-converged\]\n$/,
    );
  });

  it.each(examples)('converges with the sample of the example %s', async (name) => {
    const { exitCode, stdout, stderr } = await npmStart('--example', name, '--once', '--timeout', patience);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/ (?:converged|available) +default\//);
  });

  it('rejects an unknown example, and lists the others', async () => {
    const { exitCode, stderr } = await npmStart('--example=nowhere');
    expect(stderr).toMatch(/^error: --example nowhere: unknown example; use one of .*\bnginx\b.*\n$/);
    expect(exitCode).toBe(1);
  });

  it.each([
    [
      'a kubeconfig that does not exist',
      () => ['--kubeconfig', '/nowhere/kubeconfig'],
      /^error: \/nowhere\/kubeconfig: the kubeconfig does not exist; .* \[kubeconfig-not-found\]\n$/,
    ],
    [
      'a kubeconfig that does not parse',
      (directory: string) => ['--kubeconfig', fileIn(directory, 'apiVersion: v1\nclusters: [\n')],
      /^error: .*kubeconfig.* \[invalid-kubeconfig\]\n$/,
    ],
    [
      'a cluster that does not run',
      (directory: string) => ['--kubeconfig', fileIn(directory, kubeconfigOf('https://127.0.0.1:1'))],
      /^error: cannot reach https:\/\/127\.0\.0\.1:1: .* \[cluster-unreachable\]\n$/,
    ],
    [
      'a sample that violates the schema',
      (directory: string) => ['--sample', fileIn(directory, invalidSample)],
      /^error: \S+\/kubeconfig, document 1: apply nginxes\.web\.example\.com default\/wrong: Nginx\.web\.example\.com "wrong" is invalid: spec\.replicaCount: Invalid value: 60: spec\.replicaCount in body should be less than or equal to 50 \[invalid-sample\]\n$/,
    ],
    ['an invalid port', () => ['--port', 'eighty'], /^error: --port "eighty": invalid port; .* \[invalid-option\]\n$/],
    ['an unknown option', () => ['--ones'], /^error: unknown option '--ones'\n\(Did you mean --once\?\)\n$/],
  ])('reports %s in one line without a stack, and exits with 1', async (_what, optionsIn, message) => {
    const directory = mkdtempSync(join(tmpdir(), 'evenkeel-start-'));
    const { exitCode, stderr } = await npmStart(...optionsIn(directory));
    rmSync(directory, { recursive: true });
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(1);
  });

  it('reports a port in use, and shows the stack for --verbose', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const port = String((taken.address() as AddressInfo).port);
    const plain = await npmStart('--port', port);
    const verbose = await npmStart('--port', port, '--verbose');
    taken.close();
    expect(plain.stderr).toBe(
      `error: cannot listen on 127.0.0.1:${port}: another program uses that port; stop it, choose another port, or omit the port to use a free one [port-in-use]\n`,
    );
    expect(plain.exitCode).toBe(1);
    expect(verbose.stderr).toContain('    at ');
  });

  it('exits if a cluster accepts a connection and never responds', async () => {
    // It reads, or it would never see the end of the connection and keep the socket open.
    const silent = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const directory = mkdtempSync(join(tmpdir(), 'evenkeel-start-'));
    const { exitCode, stderr } = await npmStart('--kubeconfig', fileIn(directory, kubeconfigOf(url)));
    rmSync(directory, { recursive: true });
    silent.close();
    expect(stderr).toMatch(/^error: .* \[cluster-unreachable\]\n$/);
    expect(exitCode).toBe(1);
  });
});

(isBuilt ? describeWithRealServer : describe.skip)('npm start on a cluster', () => {
  let server: RealServer;

  beforeAll(async () => {
    server = await startRealServer('nodes');
  });

  afterAll(() => server?.stop());

  it('converges as on the embedded server, and leaves only the CRD and the sample', async () => {
    const { exitCode, stdout, stderr } = await npmStart(
      '--kubeconfig',
      server.kubeconfig,
      '--once',
      '--timeout',
      patience,
    );
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/cluster +Kubernetes v1\.36\.3 of/);
    expect(stdout).toMatch(/available +default\/web/);
    expect(stdout).toMatch(/stopped +the CRDs and samples stay on the cluster$/m);
    const names = async (path: string): Promise<string[]> =>
      ((await server.send('GET', path)).body['items'] as { metadata: { name: string } }[]).map(
        ({ metadata }) => metadata.name,
      );
    expect(await names('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')).toEqual(['nginxes.web.example.com']);
    expect(await names('/apis/web.example.com/v1alpha1/nginxes')).toEqual(['web']);
    // A controller creates one of them at some time.
    await server.sendUntil(({ body }) => body.items.length > 1, 'GET', '/api/v1/namespaces/default/configmaps');
    expect(await names('/api/v1/namespaces/default/configmaps')).toEqual(['kube-root-ca.crt', 'welcome']);
    expect(await names('/api/v1/namespaces')).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);

    // Again: existing objects are not changed.
    const again = await npmStart('--kubeconfig', server.kubeconfig, '--once', '--timeout', patience);
    expect(again.exitCode).toBe(0);
    expect(again.stdout).not.toMatch(/created|changed|wrote/);
  });
});

const inTerminal = isBuilt && hasPseudoTerminal();
if (isBuilt && !inTerminal) console.log('skipped: no python3, which opens a pseudo-terminal');

(inTerminal ? describeOnEmbeddedServer : describe.skip)('npm start in a terminal', () => {
  it('keeps running, in colour, and exits soon after Ctrl-C without a listening process', async () => {
    const program = startInTerminal('npm', ['--silent', 'start']);
    try {
      await program.waitFor(/It runs until Ctrl-C[\s\S]*kubectl get[\s\S]*kubectl scale[\s\S]*kubectl delete/, 180_000);
      expect(program.screen).toMatch(colour);
      const port = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(program.screen)?.[1]);
      expect(await isListening(port)).toBe(true);
      // Benchmarks start the example too, and each session in a folder has a separate file.
      const [, kubeconfig = ''] =
        /export KUBECONFIG=(examples\/nginx\/\.evenkeel\/kubeconfig[-\d]*)/.exec(program.screen) ?? [];
      expect(statSync(join(root, kubeconfig)).mode & 0o777).toBe(0o600);
      const pressed = performance.now();
      program.type('\x03');
      expect(await program.exited).toBe(130);
      // A fifth of a second if nothing else runs. It waits neither for kept-alive connections (5 s) nor for a grace
      // period.
      expect(performance.now() - pressed).toBeLessThan(5000);
      expect(await isListening(port)).toBe(false);
      expect(program.screen).toContain('nothing is left running');
      expect(existsSync(join(root, kubeconfig))).toBe(false);
    } finally {
      program.kill();
    }
  });
});

(inTerminal ? describeOnEmbeddedServer : describe.skip)('npx evenkeel dev in a terminal', () => {
  it('exits with the code of an interrupted program after Ctrl-C, and prints no error', async () => {
    const command = ['evenkeel', 'dev', '--config', 'examples/nginx/evenkeel.config.ts'];
    const program = startInTerminal('npx', command);
    try {
      await program.waitFor(/It runs until Ctrl-C[\s\S]*kubectl get/, 180_000);
      // The terminal sends the signal to npm, its shell and the command.
      program.type('\x03');
      expect(await program.exited).toBe(130);
      expect(program.screen).toContain('nothing is left running');
      expect(program.screen).not.toMatch(/npm err|error:/i);
    } finally {
      program.kill();
    }
  });
});

const invalidSample =
  'apiVersion: web.example.com/v1alpha1\nkind: Nginx\nmetadata: { name: wrong }\nspec: { replicaCount: 60 }\n';

function fileIn(directory: string, text: string): string {
  const file = join(directory, 'kubeconfig');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

function kubeconfigOf(server: string): string {
  return [
    'apiVersion: v1',
    'kind: Config',
    `clusters: [{ name: c, cluster: { server: "${server}", insecure-skip-tls-verify: true } }]`,
    'users: [{ name: u, user: { token: t } }]',
    'contexts: [{ name: x, context: { cluster: c, user: u } }]',
    'current-context: x',
  ].join('\n');
}
