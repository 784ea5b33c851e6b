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

/** An event as `--output json` prints it. */
export interface NarratorEvent {
  /** The time since the start. */
  readonly elapsedMs: number;
  readonly topic: string;
  readonly text: string;
  /** The number of equal events in this line, if there are several. */
  readonly times?: number;
  readonly details?: string;
  readonly aside?: string;
  readonly about?: string;
  readonly tone?: Tone;
}

/** The width of the time and the topic. */
const indent = 21;

/**
 * Prints one line for each event as it happens: the time, the topic and the text. All text is escaped, because most of
 * it comes from objects, errors and logs. A terminal gets colours, and lines that are wrapped to its width. The
 * wording may change in any version.
 */
export class Narrator {
  readonly #output: NarratorOutput | ((event: NarratorEvent) => void);
  readonly #hasColors: boolean;
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #repeated = new RepeatedLines();

  /**
   * @param output receives text, or as a function the events for programs. Those have no headings and suggestions.
   * @param startMs the start of the printed times, on the clock's monotonic scale.
   * @param hasColors whether text has colours. Default: in a terminal.
   */
  constructor(
    output: NarratorOutput | ((event: NarratorEvent) => void),
    clock: Clock,
    startMs: number,
    hasColors?: boolean,
  ) {
    this.#output = output;
    this.#clock = clock;
    this.#startMs = startMs;
    this.#hasColors = hasColors ?? (typeof output !== 'function' && output.isTTY === true);
  }

  /** Prints `  0.31 s  reconcile   default/web: ...`. */
  report(topic: string, text: string, { tone = 'plain', details, aside, about, counted }: ReportOptions = {}): void {
    const repeated = counted ?? [text, details].join(' ');
    const times = about === undefined ? 1 : this.#repeated.add(about, `${topic} ${repeated}`);
    // Each line stands for those since the last one. Their number doubles, so that a long series takes few lines.
    if (!Number.isInteger(Math.log2(times))) return;
    const elapsedMs = this.#clock.monotonic() - this.#startMs;
    const output = this.#output;
    if (typeof output === 'function') {
      const event = { elapsedMs: Math.round(elapsedMs), topic, text, ...(times === 1 ? {} : { times }) };
      output({ ...event, ...present({ details, aside, about }), ...(tone === 'plain' ? {} : { tone }) });
      return;
    }
    const seconds = (elapsedMs / 1000).toFixed(2).padStart(6);
    const asides = [details, times === 1 ? undefined : `(${times} times)`, aside].filter((one) => one !== undefined);
    const style = styles[tone];
    const parts = [
      { text: printable(text), paint: (plain: string) => (style === undefined ? plain : this.#paint(style, plain)) },
      ...asides.map((one) => ({ text: `  ${printable(one)}`, paint: (plain: string) => this.#paint('dim', plain) })),
    ];
    const columns =
      output.isTTY === true
        ? // A terminal that does not know its width reports 0.
          output.columns || Number.POSITIVE_INFINITY
        : undefined;
    const body =
      columns === undefined ? parts.map((part) => part.paint(part.text)).join('') : wrappedLine(parts, indent, columns);
    const start = `${this.#paint('dim', `${seconds} s`)}  ${this.#paint('bold', printable(topic).padEnd(10))}`;
    output.write(`${start} ${body}\n`);
  }

  /** Starts the counts of an object's lines anew. */
  renew(about: string): void {
    this.#repeated.forget(about);
  }

  /** Prints a line without a time. */
  print(text: string): void {
    this.#write(printable(text));
  }

  heading(text: string): void {
    this.#write(this.#paint('bold', printable(text)));
  }

  /** Prints the lines of a stack, each marked as a part of it. */
  quote(stack: string): void {
    if (typeof this.#output === 'function') this.report('stack', stack);
    for (const line of stack.split('\n')) this.#write(this.#paint('dim', `  | ${printable(line)}`));
  }

  #write(line: string): void {
    if (typeof this.#output !== 'function') this.#output.write(`${line}\n`);
  }

  #paint(style: 'bold' | 'dim' | 'green' | 'red', text: string): string {
    return this.#hasColors && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  }
}

function present<T extends object>(members: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
