// Imports only types of this package, so that it can start the loading process while the command itself is still
// loading.
import type { ChildProcess } from 'node:child_process';
import { forkProgram } from '../load/fork-program.ts';
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
  const startedAt = performance.now();
  const child = forkProgram(new URL('./generation-child', import.meta.url), folder, {
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
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
