import { type ChildProcess, spawn } from 'node:child_process';

/** A program with the first of its arguments. */
export interface Program {
  readonly path: string;
  readonly arguments: readonly string[];
}

/** A finished program. */
export interface ProgramResult {
  /** 127 if the program does not exist. */
  readonly exitCode: number;
  /** Empty unless `captures` was set. */
  readonly stdout: string;
}

/** npm, or another package manager of this name. */
export function packageManagerProgram(name: string): Program {
  // npm sets the path of its program for commands that it runs. Another package manager sets its own.
  const npm = process.env['npm_execpath'];
  if (name === 'npm' && npm !== undefined && /npm-cli\.[cm]?js$/.test(npm)) {
    return { path: process.execPath, arguments: [npm] };
  }
  return { path: process.platform === 'win32' ? `${name}.cmd` : name, arguments: [] };
}

export interface ProgramOptions {
  /** Whether to return stdout instead of printing it. Default: false. */
  readonly captures?: boolean;
  /** Environment variables besides those of this process. Default: none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Stops the program. Default: never. */
  readonly interruption?: Interruption | undefined;
}

/**
 * A request of the user to stop. A program may finish what it does: npm restores its folder after the current downloads. A second
 * request kills it.
 */
export class Interruption {
  #requests = 0;
  #child: ChildProcess | undefined;

  get isRequested(): boolean {
    return this.#requests > 0;
  }

  request(): void {
    this.#requests++;
    this.#stop();
  }

  /** Passes requests to a program from now on. */
  attach(child: ChildProcess): void {
    this.#child = child;
    this.#stop();
  }

  #stop(): void {
    if (this.isRequested) this.#child?.kill(this.#requests > 1 ? 'SIGKILL' : 'SIGTERM');
  }
}

/** Runs a program in a folder until it exits. Its output goes to stderr. */
export function runProgram(
  folder: string,
  program: Program,
  options: readonly string[],
  { captures = false, variables = {}, interruption }: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program.path, [...program.arguments, ...options], {
      cwd: folder,
      env: { ...process.env, ...variables },
      stdio: ['ignore', captures ? 'pipe' : 2, 2],
      shell: program.path.endsWith('.cmd'),
    });
    interruption?.attach(child);
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.on('error', () => resolve({ exitCode: 127, stdout }));
    child.on('close', (code) => resolve({ exitCode: code ?? 1, stdout }));
  });
}
