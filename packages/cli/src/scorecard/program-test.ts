import { type ChildProcess, spawn } from 'node:child_process';
import { messageOf } from '@evenkeel/core';
import { parseScorecardResults, type ScorecardResult, ScorecardResultError } from '@evenkeel/olm';

/** A program and its surroundings. */
export interface StartedProgram {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  /** Environment variables besides those of this process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** How a program has ended. */
export interface EndedProgram {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined if it exited with 0. */
  readonly problem?: string;
  /** Whether it did not start or was killed, so that its exit code means nothing. */
  readonly isBroken?: boolean;
}

/** A longer timer would fire at once. */
const timerMax = 2 ** 31 - 1;

/** More output is not kept. */
const outputMax = 4 * 1024 * 1024;

/** Runs a program to its end, and kills it and what it has started after the time limit. Never rejects. */
export function runToEnd(program: StartedProgram): Promise<EndedProgram> {
  return new Promise((resolve) => {
    const child = spawn(program.command, program.arguments, {
      cwd: program.folder,
      env: { ...process.env, ...program.variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The head of a process group, so that what it has started can be killed with it.
      detached: process.platform !== 'win32',
    });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        if (output[stream].length < outputMax) output[stream] += text;
      });
    }
    let isLate = false;
    const timer = setTimeout(
      () => {
        isLate = true;
        killGroup(child);
      },
      Math.min(program.timeoutMs, timerMax),
    );
    const killWithUs = (): void => killGroup(child);
    process.once('exit', killWithUs);
    const end = (problem: string | undefined, isBroken: boolean): void => {
      clearTimeout(timer);
      process.off('exit', killWithUs);
      resolve({ ...output, ...(problem === undefined ? {} : { problem, isBroken }) });
    };
    child.on('error', (error) =>
      end(`it cannot be started: ${messageOf(error)}; check its path, and that it is executable`, true),
    );
    child.on('close', (code, signal) => {
      if (isLate) end(`it did not exit within ${program.timeoutMs / 1000} s`, true);
      else if (signal !== null) end(`it was killed by ${signal}`, true);
      else end(code === 0 ? undefined : `it exited with ${code}`, false);
    });
  });
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid === undefined || process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has just exited.
  }
}

/** Runs a test that prints its results. `name` names it in messages. */
export async function runProgramTest(name: string, program: StartedProgram): Promise<readonly ScorecardResult[]> {
  const { stdout, stderr, problem } = await runToEnd(program);
  const log = stderr === '' ? {} : { log: stderr };
  if (problem !== undefined) return [{ name, state: 'error', errors: [`${name}: ${problem}`], ...log }];
  try {
    return parseScorecardResults(stdout).map((result, index) => (index === 0 ? { ...log, ...result } : result));
  } catch (error) {
    if (!(error instanceof ScorecardResultError)) throw error;
    const message = `${name}: ${error.message}; print {"results": [{"name": "...", "state": "pass"}]}, and everything else on stderr`;
    return [{ name, state: 'error', errors: [message], log: stdout + stderr }];
  }
}
