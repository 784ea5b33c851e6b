import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Benchmark, type Figure, median } from './benchmark.ts';

const bench = dirname(fileURLToPath(import.meta.url));
const root = dirname(bench);
const node = join(root, 'node_modules', '.bin', 'node');

/** From the exec of Node on built output: how soon each part is there, and how large it is then. */
export const start: Benchmark = {
  name: 'start',
  goal: 'how soon a server listens, an operator watches and the example converges, from the exec of node',
  nonGoals: 'throughput, memory under load, anything after the first object',
  run: async (size) => {
    const runs = size === 'small' ? 1 : 7;
    const figures: Figure[] = [];
    const add = (measure: string, values: number[], unit: Figure['unit'], bar?: number): void => {
      figures.push({ measure, value: median(values), unit, ...(bar === undefined ? {} : { bar }) });
    };
    const repeat = <T>(once: () => T): T[] => Array.from({ length: runs }, once);

    add(
      'empty node, exec to exit',
      repeat(() => timed(node, ['-e', '0'])),
      'ms',
    );
    const listening = repeat(() => report(['bench/programs/listen.mjs']));
    add('embedded server listening over HTTPS', column(listening, 'listeningMs'), 'ms', 250);
    add('  its memory then', megabytes(listening), 'MB');
    const first = repeat(() => report(['bench/programs/first-object.mjs']));
    add('in process: server, CRD and first object, from the import', column(first, 'firstObjectMs'), 'ms', 30);
    add('  the import before it', column(first, 'importMs'), 'ms');
    const operator = await withServer((kubeconfig) =>
      repeat(() => report(['bench/programs/operator.mjs', kubeconfig])),
    );
    add('operator alone, kubeconfig with a token: watching', column(operator, 'watchingMs'), 'ms', 300);
    add('  its memory then', megabytes(operator), 'MB', 105);
    const dev = ['packages/cli/bin/evenkeel.js', 'dev', '--config', 'examples/nginx/evenkeel.config.ts', '--once'];
    add(
      'example converged and ended: evenkeel dev --once',
      repeat(() => timed(node, dev)),
      'ms',
      1500,
    );
    if (size === 'full')
      add(
        '  the whole npm start -- --once',
        repeat(() => timed('npm', ['start', '--', '--once'])),
        'ms',
      );
    return figures;
  },
};

function timed(command: string, commandArguments: readonly string[]): number {
  const started = performance.now();
  const result = spawnSync(command, commandArguments, { cwd: root, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${commandArguments.join(' ')} failed:\n${result.stdout}${result.stderr}`);
  return performance.now() - started;
}

/** The line of JSON that a program prints. */
function report(programArguments: readonly string[]): Record<string, number> {
  const result = spawnSync(node, programArguments, { cwd: root, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${programArguments[0]} failed:\n${result.stderr}`);
  return JSON.parse(result.stdout.trim().split('\n').at(-1) ?? '') as Record<string, number>;
}

function column(reports: readonly Record<string, number>[], name: string): number[] {
  return reports.map((entry) => entry[name] ?? Number.NaN);
}

function megabytes(reports: readonly Record<string, number>[]): number[] {
  return column(reports, 'rssBytes').map((bytes) => bytes / 1e6);
}

/** Runs with a kubeconfig of an embedded server that lives in a process of its own. */
async function withServer<T>(run: (kubeconfig: string) => T): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const definition = join(root, 'examples/nginx/config/crd/web.example.com_nginxes.yaml');
  const server = spawn(node, ['bench/programs/serve.mjs', kubeconfig, definition], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.stdout.once('data', () => resolve());
      server.once('exit', () => reject(new Error('the server ended before it was ready')));
    });
    return run(kubeconfig);
  } finally {
    server.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  }
}
