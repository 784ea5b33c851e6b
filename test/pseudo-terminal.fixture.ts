import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { root } from './imports.fixture.ts';

// Runs a command in a new session whose controlling terminal is a pseudo-terminal, passes what it prints to our standard
// output and what we are sent to its keyboard, and exits as it did.
const python = `
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
`;

/** A program in a pseudo-terminal, as a person would run it. */
export interface TerminalProgram {
  /** Everything shown so far, colours included. */
  readonly screen: string;
  /** Resolves when the screen shows `pattern`; rejects, with the screen, when the program ends or time is up before. */
  waitFor(pattern: RegExp, timeoutMs: number): Promise<void>;
  /** Types; Ctrl-C is `\x03`, which the terminal turns into SIGINT for every process in the foreground. */
  type(keys: string): void;
  /** Resolves with the exit code, once the screen shows all. */
  readonly exited: Promise<number>;
  kill(): void;
}

/** Whether this machine can open a pseudo-terminal for us (python3 can). */
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
