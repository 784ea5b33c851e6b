import { type ChildProcess, spawn } from 'node:child_process';
import type { PackageManager } from './package-manager.ts';

/** A program with the first of its arguments. */
export interface Program {
  readonly path: string;
  readonly arguments: readonly string[];
  /** Environment variables that it needs; undefined removes one of this process. Default: none. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** A finished program. */
export interface ProgramResult {
  /** 127 if the program does not exist. */
  readonly exitCode: number;
  /** Empty unless `captures` was set. */
  readonly stdout: string;
}

/** npm, or another package manager of this name. */
export function packageManagerProgram(name: PackageManager['name']): Program {
  const registry = isYarnsDefault(process.env['npm_config_registry'])
    ? { variables: { npm_config_registry: undefined } }
    : {};
  // A package manager sets the path of its program for commands that it runs. It may not be on the PATH.
  const { npm_execpath: path, npm_config_user_agent: agent = '' } = process.env;
  if (path === undefined || !agent.startsWith(`${name}/`)) {
    return { path: process.platform === 'win32' ? `${name}.cmd` : name, arguments: [], ...registry };
  }
  const isScript = /\.[cm]?js$/.test(path);
  return { path: isScript ? process.execPath : path, arguments: isScript ? [path] : [], ...registry };
}

/** Yarn 1 sets its default registry for commands that it runs, even if .npmrc names the one that yarn uses. */
function isYarnsDefault(registry = ''): boolean {
  return /^https:\/\/registry\.yarnpkg\.com\/?$/.test(registry);
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
      env: { ...process.env, ...program.variables, ...variables },
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
