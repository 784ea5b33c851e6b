// Imports nothing of this package, so that it can start a process while the command itself is still loading.
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Starts a program of this package in a process of its own. Its first argument is the folder of Node's compile cache, which is
 * stored below the project's node_modules; empty without one. Its second argument is the number of this process.
 *
 * @param program the URL of its module without the extension: built, or as TypeScript whose types Node strips.
 * @param folder the project's folder.
 */
export function forkProgram(
  program: URL,
  folder: string,
  { execArgv = [], ...options }: Omit<ForkOptions, 'execPath'>,
): ChildProcess {
  // In the same form as this module.
  const extension = extname(new URL(import.meta.url).pathname);
  return fork(`${fileURLToPath(program)}${extension}`, [compileCache(folder) ?? '', String(process.pid)], {
    ...options,
    execArgv: ['--no-warnings', ...(extension === '.ts' ? ['--conditions=evenkeel-source'] : []), ...execArgv],
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
