import { readFileSync } from 'node:fs';
import type { Clock } from '@evenkeel/core';
import type { Narrator } from '../narrator.ts';

/** A key of a session. */
export interface Key {
  /** A single character. */
  readonly name: string;
  /** The effect, for the list of keys. */
  readonly description: string;
  /** The question that a second press answers. Default: none; the first press runs the key. */
  readonly question?: string;
  run(): void | Promise<void>;
}

/** The part of a terminal's input that a keyboard needs. */
export interface KeyInput {
  readonly isTTY?: boolean;
  setRawMode(isRaw: boolean): unknown;
  on(event: 'data', listener: (data: Buffer) => void): unknown;
  off(event: 'data', listener: (data: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Sends signals as the terminal does, to all processes in the foreground. */
export interface KeySignals {
  send(signal: 'SIGINT' | 'SIGQUIT' | 'SIGTSTP'): void;
  onContinue(listener: () => void): void;
}

/** How long the system may take to stop this process. */
const stoppedWithinMs = 100;
/** How long a question waits for the second press. */
const answerWithinMs = 5000;

/**
 * Runs a session's keys as soon as they are pressed. A terminal in this mode sends no signals itself, so the keyboard sends those of
 * Ctrl-C, Ctrl-\ and Ctrl-Z.
 */
export class Keyboard {
  readonly #keys: readonly Key[];
  readonly #clock: Clock;
  readonly #narrator: Narrator;
  readonly #input: KeyInput;
  readonly #signals: KeySignals;
  readonly #onData = (data: Buffer): void => this.#receive(data.toString('latin1'));
  /** The key whose question was asked, and the deadline of the second press. */
  #asked: { readonly key: Key; readonly untilMs: number } | undefined;
  #isClosed = false;

  private constructor(keys: readonly Key[], { clock, narrator, input, signals }: KeyboardParts) {
    this.#keys = keys;
    this.#clock = clock;
    this.#narrator = narrator;
    this.#input = input;
    this.#signals = signals;
    signals.onContinue(() => this.refresh());
    input.setRawMode(true);
    input.on('data', this.#onData);
    input.resume();
  }

  /** Reads keys of an input. Returns undefined without a terminal. */
  static on(keys: readonly Key[], parts: KeyboardParts): Keyboard | undefined {
    return parts.input.isTTY === true ? new Keyboard(keys, parts) : undefined;
  }

  /** Reads the keys of this process. Returns undefined if it has no terminal for its input and output, or is in the background. */
  static open(keys: readonly Key[], clock: Clock, narrator: Narrator): Keyboard | undefined {
    if (process.stdin.isTTY !== true || process.stdout.isTTY !== true || !isInForeground()) return undefined;
    return Keyboard.on(keys, { clock, narrator, input: process.stdin, signals: processSignals });
  }

  /**
   * Sets the mode of the terminal again. A process of Node that exits restores the mode that the terminal had when it started, and
   * libuv does not set a mode twice: https://github.com/nodejs/node/blob/v24.x/src/node.cc (ResetStdio)
   */
  refresh(): void {
    if (this.#isClosed) return;
    this.#input.setRawMode(false);
    this.#input.setRawMode(true);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off('data', this.#onData);
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  #receive(text: string): void {
    // Arrows and other special keys send several characters.
    if (text.startsWith('\u001b')) return;
    for (const character of text) this.#press(character);
  }

  #press(character: string): void {
    if (this.#isClosed) return;
    const signal = signals[character];
    if (signal !== undefined) {
      if (signal === 'SIGTSTP') this.#input.setRawMode(false);
      this.#signals.send(signal);
      // The system does not stop a process group without a shell. If it stops this one, the timer fires when the process continues.
      if (signal === 'SIGTSTP') this.#clock.schedule(stoppedWithinMs, () => this.refresh(), { unref: true });
      return;
    }
    const asked = this.#asked;
    this.#asked = undefined;
    if (character === 'h' || character === '?') {
      this.#list();
      return;
    }
    const key = this.#keys.find(({ name }) => name === character);
    if (key === undefined) return;
    const isAnswered = asked?.key === key && this.#clock.monotonic() <= asked.untilMs;
    if (key.question === undefined || isAnswered) {
      void Promise.resolve(key.run()).catch((error: unknown) => {
        this.#narrator.report('error', error instanceof Error ? error.message : String(error), { tone: 'bad' });
      });
      return;
    }
    this.#asked = { key, untilMs: this.#clock.monotonic() + answerWithinMs };
    this.#narrator.report('key', `${key.question} Press ${key.name} again to confirm.`);
  }

  #list(): void {
    this.#narrator.print('');
    for (const { name, description } of this.#keys) this.#narrator.print(`  ${name}  ${description}`);
    this.#narrator.print('  h  list the keys');
    this.#narrator.print('');
  }
}

export interface KeyboardParts {
  readonly clock: Clock;
  readonly narrator: Narrator;
  readonly input: KeyInput;
  readonly signals: KeySignals;
}

const signals: Readonly<Record<string, 'SIGINT' | 'SIGQUIT' | 'SIGTSTP'>> = {
  '\u0003': 'SIGINT',
  '\u001c': 'SIGQUIT',
  '\u001a': 'SIGTSTP',
};

const processSignals: KeySignals = {
  // 0 is the process group, to which npm and the shell of a script belong too.
  send: (signal) => process.kill(0, signal),
  onContinue: (listener) => process.on('SIGCONT', listener),
};

/**
 * Whether the terminal gives its input to this process group. Otherwise, changing its mode would stop the process.
 * The fields of the file are in proc_pid_stat(5); elsewhere than on Linux, it is assumed.
 */
function isInForeground(): boolean {
  try {
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return group === foreground;
  } catch {
    return true;
  }
}
