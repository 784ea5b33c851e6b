// Imports only types of this package, so that it can start the loading process while the command itself is still
// loading.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GenerationMessage } from './generation.ts';

/** More than any project needs. A module that needs more does something other than declaring classes. */
export const heapMegabytes = 1024;

/** A process that loads modules when it receives a request. */
export interface LoadingProcess {
  readonly child: ChildProcess;
  /** Its first message, and the time from its start to that message; undefined until then. */
  first: { readonly message: GenerationMessage; readonly afterMs: number } | undefined;
}

/**
 * Starts a loading process. The request follows later, so that the process starts while the command prepares the
 * request.
 *
 * @param folder the project's folder. Node's compile cache is stored below its node_modules.
 */
export function startLoadingProcess(folder: string): LoadingProcess {
  // Next to this module, in the same form: built, or as TypeScript whose types Node strips.
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
  // No other listener may exist yet.
  child.once('message', (message) => {
    loading.first = { message: message as GenerationMessage, afterMs: performance.now() - startedAt };
  });
  // A late send to a process that has exited emits this event, which is irrelevant by then.
  child.on('error', () => undefined);
  return loading;
}

/** A module in an endless loop does not notice that its channel is closed, and would run forever. */
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

/** Only the project's owner writes there, unlike Node's default folder for temporary files. */
function compileCache(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) return join(modules, '.cache', 'evenkeel', 'compiled');
    if (at === dirname(at)) return undefined;
  }
}
