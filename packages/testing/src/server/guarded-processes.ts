import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A program to run. Its output is written to `<name>.log` in the folder. */
export interface GuardedProgram {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Programs that run no longer than this process. A guard in a separate process runs them, and kills them when its
 * standard input is closed. They do not keep this process from exiting.
 */
export class GuardedProcesses {
  readonly #guard: ChildProcess & { stdin: Writable; stdout: Readable };
  readonly #exit: Promise<unknown>;
  #failure: string | undefined;

  /** Runs all programs in `folder`, which is deleted with its contents at the end. */
  constructor(folder: string, programs: readonly GuardedProgram[]) {
    // Next to this module, in the same form: built, or as TypeScript whose types Node strips.
    const extension = extname(new URL(import.meta.url).pathname);
    const guard = spawn(
      process.execPath,
      [
        '--no-warnings',
        fileURLToPath(new URL(`./process-guard${extension}`, import.meta.url)),
        JSON.stringify({ folder, programs }),
      ],
      // In a separate session, so that a Ctrl-C in the terminal does not reach it before this process has exited.
      { stdio: ['pipe', 'pipe', 'inherit'], detached: true, env: { ...process.env, NODE_OPTIONS: '' } },
    );
    this.#guard = guard;
    this.#exit = once(guard, 'exit').catch((error: Error) => {
      this.#failure ??= `the guard process of the servers could not be started (${error.message})`;
    });
    // Writing to a guard that has exited fails, which does not matter.
    guard.stdin.on('error', () => undefined);
    guard.stdout.setEncoding('utf8');
    guard.stdout.on('data', (text: string) => {
      this.#failure ??= text.trim().split('\n')[0];
    });
    guard.once('exit', () => {
      this.#failure ??= 'the guard process of the servers has exited';
    });
    guard.unref();
    for (const pipe of [guard.stdin, guard.stdout]) (pipe as Partial<{ unref(): void }>).unref?.();
  }

  /** The first program that exited, and how; undefined while all run. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Kills all programs and deletes the folder. Resolves when they have exited. May be called again. */
  async end(): Promise<void> {
    this.#guard.ref();
    this.#guard.stdin.end();
    await this.#exit;
  }
}
