import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EvenkeelError } from '@evenkeel/core';
import type { GenerationAnswer, GenerationRequest } from './generation.ts';

/**
 * Loads the modules of a configuration in a process of their own and makes their files there. Throws
 * `module-not-loaded` where that does not answer in time; the process is gone when this returns, whatever it started.
 * What the modules print goes to this process's standard error.
 */
export async function runGeneration(request: GenerationRequest, timeLimitMs: number): Promise<GenerationAnswer> {
  // Beside this module, in the form that this one runs in: built, or as TypeScript that Node strips itself.
  const extension = extname(new URL(import.meta.url).pathname);
  const program = fileURLToPath(new URL(`./generation-child${extension}`, import.meta.url));
  const child = fork(program, [], {
    execArgv: [
      '--enable-source-maps',
      '--no-warnings',
      ...(extension === '.ts' ? ['--conditions=evenkeel-source'] : []),
    ],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<GenerationAnswer>((resolve, reject) => {
      timer = setTimeout(() => reject(tooLate(timeLimitMs)), timeLimitMs);
      child.once('message', (answer) => resolve(answer as GenerationAnswer));
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(gone(code, signal)));
      child.send(request);
    });
  } finally {
    clearTimeout(timer);
    child.removeAllListeners();
    // Sending to a child that is gone is reported as an event, long after anybody cares.
    child.on('error', () => undefined);
    child.kill('SIGKILL');
  }
}

function tooLate(timeLimitMs: number): EvenkeelError {
  return new EvenkeelError(
    'module-not-loaded',
    `the modules of the configuration did not load within ${timeLimitMs / 1000} s; they should only declare classes: ` +
      'move what connects or waits to the main module, or allow more with --timeout',
  );
}

function gone(code: number | null, signal: NodeJS.Signals | null): EvenkeelError {
  return new EvenkeelError(
    'module-not-loaded',
    `the modules of the configuration ended the process (${signal ?? `exit ${code}`}) instead of only declaring classes; ` +
      'move what runs to the main module',
  );
}
