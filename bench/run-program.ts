import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../test/imports.fixture.ts';

const execFileAsync = promisify(execFile);

export const node = join(root, 'node_modules', '.bin', 'node');

/** The figures of one printed line, by name. */
export type Report = Readonly<Record<string, number>>;

/** Returns the time of a program from its exec to its exit, in milliseconds. */
export function timed(command: string, commandArguments: readonly string[]): number {
  const started = performance.now();
  run(command, commandArguments);
  return performance.now() - started;
}

/** Returns the last line of JSON that one of our programs prints. */
export function report(programArguments: readonly string[]): Report {
  return reports(node, programArguments).at(-1) ?? {};
}

/** Returns the lines of JSON that a program prints. */
export function reports(
  command: string,
  commandArguments: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): readonly Report[] {
  return linesOf(run(command, commandArguments, environment));
}

/** Runs our programs in parallel. Returns the lines of `measured` when it has exited, and then stops the others. */
export async function reportsWhile(
  measured: readonly (readonly string[])[],
  others: readonly (readonly string[])[],
): Promise<readonly (readonly Report[])[]> {
  const ending = new AbortController();
  const beside = others.map((program) =>
    runAsync(program, ending.signal).catch((error: unknown) => {
      if (!ending.signal.aborted) throw error;
    }),
  );
  const measuring = Promise.all(measured.map((program) => runAsync(program, ending.signal)));
  try {
    // If another program fails, the whole run fails.
    await Promise.race([measuring, ...beside.map((other) => other.then(() => measuring))]);
    return (await measuring).map(linesOf);
  } finally {
    ending.abort();
    await Promise.allSettled(beside);
  }
}

export function column(reports: readonly Report[], name: string): number[] {
  return reports.map((entry) => entry[name] ?? Number.NaN);
}

/** Converts bytes of memory to megabytes. */
export function megabytes(reports: readonly Report[], name = 'rssBytes'): number[] {
  return column(reports, name).map((bytes) => bytes / 1e6);
}

/** Calls `use` with a kubeconfig of an embedded server in a separate process, which has the CRD of `definitionFile`. */
export async function withEmbeddedServer<T>(
  definitionFile: string,
  use: (kubeconfig: string) => T | Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const server = spawn(node, ['bench/programs/serve.mjs', kubeconfig, definitionFile], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.stdout.once('data', () => resolve());
      server.once('exit', () => reject(new Error('the server exited before it was ready')));
    });
    return await use(kubeconfig);
  } finally {
    server.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  }
}

function linesOf(output: string): readonly Report[] {
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Report);
}

async function runAsync(programArguments: readonly string[], signal: AbortSignal): Promise<string> {
  const { stdout } = await execFileAsync(node, programArguments, { cwd: root, signal });
  return stdout;
}

/** Returns what a program prints. Throws if it fails. */
export function run(
  command: string,
  commandArguments: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  const result = spawnSync(command, commandArguments, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  if (result.status === 0) return result.stdout;
  throw new Error(`${[command, ...commandArguments].join(' ')} failed:\n${result.stdout}${result.stderr}`);
}
