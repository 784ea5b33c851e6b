// Imports only what imports nothing of this package, so that it can start a process while the command itself is still loading.
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programFile } from './program-file.ts';

/**
 * Starts a program of this package in a separate process. Its first argument is the folder of Node's compile cache, which is
 * stored below the project's node_modules; empty without one. Its second argument is the number of this process.
 *
 * @param program the URL of its module without the extension.
 * @param folder the project's folder.
 */
export function forkProgram(
  program: URL,
  folder: string,
  { execArgv = [], ...options }: Omit<ForkOptions, 'execPath'>,
): ChildProcess {
  const file = programFile(program);
  return fork(file.path, [compileCache(folder) ?? '', String(process.pid)], {
    ...options,
    execArgv: ['--no-warnings', ...file.execArgv, ...execArgv],
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
