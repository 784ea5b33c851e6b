import { messageOf } from '@evenkeel/core';
import type { ScorecardResult } from '@evenkeel/olm';
import { forkProgram } from '../load/fork-program.ts';
import type { ModuleTestAnswer, ModuleTestRequest } from './module-test-contract.ts';

/** Runs a function of a module in its own process, which is killed after the time limit. */
export async function runModuleTest(
  request: ModuleTestRequest,
  timeoutMs: number,
): Promise<readonly ScorecardResult[]> {
  const { file, name } = request;
  const title = name === 'default' ? file : `${file} ${name}`;
  const child = forkProgram(new URL('./module-test-child', import.meta.url), request.folder, {
    execArgv: [],
    // Output of the user's own code is printed as it is, but stdout is for the command.
    stdio: ['ignore', 2, 'inherit', 'ipc'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<ModuleTestAnswer>((resolve) => {
      const fail = (problem: string): void => resolve({ problem });
      timer = setTimeout(() => fail(`it did not finish within ${timeoutMs / 1000} s`), timeoutMs);
      child.on('error', (error) => fail(messageOf(error)));
      child.on('exit', (code, signal) => fail(`it ended its process (${signal ?? `exit code ${code}`})`));
      child.on('message', (message) => resolve(message as ModuleTestAnswer));
      child.send(request);
    });
    if ('results' in answer) return answer.results.map((result) => ({ name: title, ...result }));
    return [{ name: title, state: 'error', errors: [`${title}: ${answer.problem}`] }];
  } finally {
    clearTimeout(timer);
    process.off('exit', kill);
    kill();
  }
}
