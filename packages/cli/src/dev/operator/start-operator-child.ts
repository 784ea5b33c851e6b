// Imports nothing heavy, so that the process can start while the command itself is still loading.
import type { ChildProcess } from 'node:child_process';
import { forkProgram } from '../../load/fork-program.ts';

/**
 * Starts the process of an operator, which loads the framework and then waits for requests. It ends with this process.
 *
 * @param folder the project's folder.
 * @param stdout where the process writes: to stdout of this process, or to its stderr.
 */
export function startOperatorChild(folder: string, stdout: 'inherit' | 2): ChildProcess {
  const child = forkProgram(new URL('./operator-child', import.meta.url), folder, {
    execArgv: [],
    // Output of the user's own code is printed as it is.
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
    // Keeps bytes and maps.
    serialization: 'advanced',
  });
  // A loop in user code does not notice that the channel is closed.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  // A late message to a process that has exited emits this event.
  child.on('error', () => undefined);
  return child;
}
