import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A program to run: its output goes to `<name>.log` in the folder. */
export interface GuardedProgram {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Programs that live no longer than this process: a guard, which is a process of its own, runs them, and ends them when
 * its standard input ends. They do not keep this process from ending.
 */
export class GuardedProcesses {
  readonly #guard: ChildProcess & { stdin: Writable; stdout: Readable };
  readonly #exit: Promise<unknown>;
  #failure: string | undefined;

  /** Runs all programs at once in `folder`, which is removed with all that is in it at the end. */
  constructor(folder: string, programs: readonly GuardedProgram[]) {
    // Beside this module, in the form that this one runs in: built, or as TypeScript that Node strips itself.
    const extension = extname(new URL(import.meta.url).pathname);
    const guard = spawn(
      process.execPath,
      [
        '--no-warnings',
        fileURLToPath(new URL(`./process-guard${extension}`, import.meta.url)),
        JSON.stringify({ folder, programs }),
      ],
      // In a session of its own, so that a Ctrl-C in the terminal does not reach it before this process has ended.
      { stdio: ['pipe', 'pipe', 'inherit'], detached: true, env: { ...process.env, NODE_OPTIONS: '' } },
    );
    this.#guard = guard;
    this.#exit = once(guard, 'exit').catch((error: Error) => {
      this.#failure ??= `the process that guards the servers could not be run (${error.message})`;
    });
    // What a guard that is gone can no longer be told needs no telling.
    guard.stdin.on('error', () => undefined);
    guard.stdout.setEncoding('utf8');
    guard.stdout.on('data', (text: string) => {
      this.#failure ??= text.trim().split('\n')[0];
    });
    guard.once('exit', () => {
      this.#failure ??= 'the process that guards the servers has ended';
    });
    guard.unref();
    for (const pipe of [guard.stdin, guard.stdout]) (pipe as Partial<{ unref(): void }>).unref?.();
  }

  /** The first program that ended, and how; undefined as long as all run. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Ends all programs and removes the folder. Resolves when they are gone. Safe to call again. */
  async end(): Promise<void> {
    this.#guard.ref();
    this.#guard.stdin.end();
    await this.#exit;
  }
}
