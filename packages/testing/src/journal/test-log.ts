import type { WitnessedLine } from '@evenkeel/core';
import { quotedMessage } from './quoted-message.ts';

/** The level of the lines that a test prints, the least important first. */
export type TestLogLevel = WitnessedLine['level'];

const levels: readonly TestLogLevel[] = ['debug', 'info', 'warn', 'error'];

export function isTestLogLevel(text: string): text is TestLogLevel {
  return (levels as readonly string[]).includes(text);
}

/** Prints what operators do while they do it. */
export class TestLog {
  readonly #lowest: number;
  readonly #output: { write(text: string): unknown };

  constructor(level: TestLogLevel, output: { write(text: string): unknown } = process.stderr) {
    this.#lowest = levels.indexOf(level);
    this.#output = output;
  }

  /** `atMs` is the time since the start of the environment. */
  print(level: TestLogLevel, atMs: number, describe: () => string): void {
    if (levels.indexOf(level) < this.#lowest) return;
    const time = `${(atMs / 1000).toFixed(2).padStart(6)} s`;
    this.#output.write(`${time}  ${level.padEnd(5)}  ${quotedMessage(describe(), ' '.repeat(17))}\n`);
  }
}
