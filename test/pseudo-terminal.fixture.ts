import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { root } from './imports.fixture.ts';

// Runs a command in a new session whose controlling terminal is a pseudo-terminal. It copies the command's output to
// our standard output and our standard input to its keyboard, and exits with its exit code, or with 128 and
// the number of the signal that ended it, as a shell.
const python = `
import os, pty, sys
code = os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:]))
sys.exit(code if code >= 0 else 128 - code)
`;

/** A program in a pseudo-terminal, as a user would run it. */
export interface TerminalProgram {
  /** The output so far, including colours. */
  readonly screen: string;
  /** Resolves when the output matches `pattern`; rejects with the output if the program exits or the time is up before. */
  waitFor(pattern: RegExp, timeoutMs: number): Promise<void>;
  /** Types text; Ctrl-C is `\x03`, which the terminal converts to SIGINT for every foreground process. */
  type(keys: string): void;
  /** Resolves to the exit code when the output is complete. */
  readonly exited: Promise<number>;
  kill(): void;
}

/** Whether this machine can open a pseudo-terminal (python3 can). */
export function hasPseudoTerminal(): boolean {
  return spawnSync('python3', ['-c', 'import pty']).status === 0;
}

export function startInTerminal(command: string, commandArguments: readonly string[]): TerminalProgram {
  const child: ChildProcess = spawn('python3', ['-c', python, command, ...commandArguments], {
    cwd: root,
    env: { ...process.env, TERM: 'xterm-256color', CI: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  let onOutput = (): void => {};
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    onOutput();
  });
  const exited = new Promise<number>((resolve) => {
    child.on('close', (code) => resolve(code ?? 255));
  });
  return {
    get screen() {
      return screen;
    },
    waitFor: (pattern, timeoutMs) =>
      new Promise<void>((resolve, reject) => {
        const fail = (why: string): void => reject(new Error(`${why} before ${pattern}; the screen:\n${screen}`));
        const timer = setTimeout(() => fail(`${timeoutMs} ms passed`), timeoutMs);
        onOutput = () => {
          if (!pattern.test(screen)) return;
          clearTimeout(timer);
          resolve();
        };
        void exited.then(() => {
          clearTimeout(timer);
          fail('the program ended');
        });
        onOutput();
      }),
    type: (keys) => child.stdin?.write(keys),
    exited,
    kill: () => child.kill('SIGKILL'),
  };
}
