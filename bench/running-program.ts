import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { root } from '../test/imports.fixture.ts';

/** A line of JSON that a running program prints: the name of the event and figures. */
export interface ProgramEvent {
  readonly event: string;
  readonly ms: number;
}

export interface MemoryEvent extends ProgramEvent {
  readonly peakMiB: number;
}

/** Linux counts processor time in hundredths of a second; see proc_pid_stat(5). */
const msPerTick = 10;

/** A program that runs until it is stopped, and prints events as lines of JSON. */
export class RunningProgram<Event extends ProgramEvent = MemoryEvent> {
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(
    command: string,
    commandArguments: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.#child = spawn(command, commandArguments, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...environment },
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Returns the next line with this event; skips other lines. */
  async next(event: string): Promise<Event> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`${this.#child.spawnfile} exited before it printed "${event}"`);
      const printed = JSON.parse(value) as Event;
      if (printed.event === event) return printed;
    }
  }

  /** The processor time so far. */
  get cpuMs(): number {
    const { pid } = this.#child;
    // After the name of the program, which may contain spaces: user and system time are the 12th and 13th of the
    // remaining fields.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  }

  async stop(): Promise<void> {
    const ended =
      this.#child.exitCode === null && this.#child.signalCode === null ? once(this.#child, 'exit') : undefined;
    this.#child.kill('SIGKILL');
    await ended;
  }
}
