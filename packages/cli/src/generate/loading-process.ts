// Imports nothing of ours that runs: it starts the process that loads modules while the command itself is still being loaded.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GenerationMessage } from './generation.ts';

/** More than any project needs; a module that takes as much is at work on something else than declaring classes. */
export const heapMegabytes = 1024;

/** A process that will load modules when it is asked to. */
export interface LoadingProcess {
  readonly child: ChildProcess;
  /** The first thing it said, and how long after its start; undefined until then. */
  first: { readonly message: GenerationMessage; readonly afterMs: number } | undefined;
}

/**
 * Starts one. What it is asked comes later, so that it can start while that is found out.
 *
 * @param folder of the project: what Node compiles of the packages is kept below its node_modules.
 */
export function startLoadingProcess(folder: string): LoadingProcess {
  // Beside this module, in the form that this one runs in: built, or as TypeScript that Node strips itself.
  const extension = extname(new URL(import.meta.url).pathname);
  const program = fileURLToPath(new URL(`./generation-child${extension}`, import.meta.url));
  const startedAt = performance.now();
  const child = fork(program, [compileCache(folder) ?? ''], {
    execArgv: [
      '--no-warnings',
      `--max-old-space-size=${heapMegabytes}`,
      ...(extension === '.ts' ? ['--conditions=evenkeel-source'] : []),
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const loading: LoadingProcess = { child, first: undefined };
  endWithUs(child);
  // Nobody else may be listening yet.
  child.once('message', (message) => {
    loading.first = { message: message as GenerationMessage, afterMs: performance.now() - startedAt };
  });
  // Sending to a child that is gone is reported as an event, long after anybody cares.
  child.on('error', () => undefined);
  return loading;
}

/** A module in an endless loop would not see that its channel is gone, and run for ever. */
function endWithUs(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const killBoth = (signal: NodeJS.Signals) => {
    kill();
    for (const other of signals) process.off(other, killBoth);
    process.kill(process.pid, signal);
  };
  process.once('exit', kill);
  for (const signal of signals) process.on(signal, killBoth);
  child.once('exit', () => {
    process.off('exit', kill);
    for (const signal of signals) process.off(signal, killBoth);
  });
}

/** Where nobody but the project's owner writes, unlike the folder for temporary files that Node takes by itself. */
function compileCache(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) return join(modules, '.cache', 'evenkeel', 'compiled');
    if (at === dirname(at)) return undefined;
  }
}
