import { styleText } from 'node:util';
import { type Clock, printable } from '@evenkeel/core';
import { RepeatedLines } from './repeated-lines.ts';
import { wrappedLine } from './wrapped-line.ts';

/** The output of a narrator: `process.stdout`, or a list of lines in tests. */
export interface NarratorOutput {
  write(text: string): unknown;
  /** Whether it is a terminal. Only there, lines have colours and are wrapped. */
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
}

export type Tone = 'plain' | 'good' | 'bad' | 'quiet';

export interface ReportOptions {
  readonly tone?: Tone;
  /** Follows the text in a quieter tone. */
  readonly details?: string;
  /** Follows the details. It may differ between lines that are otherwise equal, such as a duration. */
  readonly aside?: string;
  /** The object that the line is about. Its repeated lines are counted until {@link Narrator.renew}. Default: none. */
  readonly about?: string;
  /** What repeated lines have in common. Default: the text and the details. */
  readonly counted?: string;
}

const styles = { plain: undefined, good: 'green', bad: 'red', quiet: 'dim' } as const;

/** The width of the time and the topic. */
const indent = 21;

/**
 * Prints one line for each event as it happens: the time, the topic and the text. All text is escaped, because most of
 * it comes from objects, errors and logs. A terminal gets colours, and lines that are wrapped to its width. The output is
 * not for programs: the wording may change in any version.
 */
export class Narrator {
  readonly #output: NarratorOutput;
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #repeated = new RepeatedLines();

  /** `startMs` is the start of the printed times, on the clock's monotonic scale. */
  constructor(output: NarratorOutput, clock: Clock, startMs: number) {
    this.#output = output;
    this.#clock = clock;
    this.#startMs = startMs;
  }

  /** Prints `  0.31 s  reconcile   default/web: ...`. */
  report(topic: string, text: string, { tone = 'plain', details, aside, about, counted }: ReportOptions = {}): void {
    const repeated = counted ?? [text, details].join(' ');
    const times = about === undefined ? 1 : this.#repeated.add(about, `${topic} ${repeated}`);
    // Each line stands for those since the last one. Their number doubles, so that a long series takes few lines.
    if (!Number.isInteger(Math.log2(times))) return;
    const seconds = ((this.#clock.monotonic() - this.#startMs) / 1000).toFixed(2).padStart(6);
    const asides = [details, times === 1 ? undefined : `(${times} times)`, aside].filter((one) => one !== undefined);
    const style = styles[tone];
    const parts = [
      { text: printable(text), paint: (plain: string) => (style === undefined ? plain : this.#paint(style, plain)) },
      ...asides.map((one) => ({ text: `  ${printable(one)}`, paint: (plain: string) => this.#paint('dim', plain) })),
    ];
    const columns =
      this.#output.isTTY === true
        ? // A terminal that does not know its width reports 0.
          this.#output.columns || Number.POSITIVE_INFINITY
        : undefined;
    const body =
      columns === undefined ? parts.map((part) => part.paint(part.text)).join('') : wrappedLine(parts, indent, columns);
    const start = `${this.#paint('dim', `${seconds} s`)}  ${this.#paint('bold', printable(topic).padEnd(10))}`;
    this.#output.write(`${start} ${body}\n`);
  }

  /** Starts the counts of an object's lines anew. */
  renew(about: string): void {
    this.#repeated.forget(about);
  }

  /** Prints a line without a time. */
  print(text: string): void {
    this.#output.write(`${printable(text)}\n`);
  }

  heading(text: string): void {
    this.#output.write(`${this.#paint('bold', printable(text))}\n`);
  }

  /** Prints the lines of a stack, each marked as a part of it. */
  quote(stack: string): void {
    for (const line of stack.split('\n')) this.#output.write(`${this.#paint('dim', `  | ${printable(line)}`)}\n`);
  }

  #paint(style: 'bold' | 'dim' | 'green' | 'red', text: string): string {
    return this.#output.isTTY === true && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  }
}
