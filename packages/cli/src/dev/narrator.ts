import { styleText } from 'node:util';
import type { Clock } from '@evenkeel/core';

/** The output of a narrator: `process.stdout`, or a list of lines in tests. */
export interface NarratorOutput {
  write(text: string): unknown;
  /** Colours are used only in a terminal. */
  readonly isTTY?: boolean;
}

export type Tone = 'plain' | 'good' | 'bad' | 'quiet';

const styles = { plain: undefined, good: 'green', bad: 'red', quiet: 'dim' } as const;

/**
 * Prints one line for each event as it happens: the time, the topic and the text. It uses colours only in a terminal.
 * The output is not for programs: the wording may change in any version.
 */
export class Narrator {
  readonly #output: NarratorOutput;
  readonly #clock: Clock;
  readonly #startMs: number;

  /** `startMs` is the start of the printed times, on the clock's monotonic scale. */
  constructor(output: NarratorOutput, clock: Clock, startMs: number) {
    this.#output = output;
    this.#clock = clock;
    this.#startMs = startMs;
  }

  /** Prints `  0.31 s  reconcile   default/web: ...`, followed by `aside` in a quieter tone. */
  report(topic: string, text: string, options: { tone?: Tone; aside?: string } = {}): void {
    const seconds = ((this.#clock.monotonic() - this.#startMs) / 1000).toFixed(2).padStart(6);
    const aside = options.aside === undefined ? '' : `  ${this.#paint('dim', options.aside)}`;
    const style = styles[options.tone ?? 'plain'];
    const body = style === undefined ? text : this.#paint(style, text);
    this.#output.write(
      `${this.#paint('dim', `${seconds} s`)}  ${this.#paint('bold', topic.padEnd(10))} ${body}${aside}\n`,
    );
  }

  /** Prints lines without a time. */
  print(text: string, tone: Tone = 'plain'): void {
    const style = styles[tone];
    for (const line of text.split('\n'))
      this.#output.write(`${style === undefined ? line : this.#paint(style, line)}\n`);
  }

  heading(text: string): void {
    this.#output.write(`${this.#paint('bold', text)}\n`);
  }

  #paint(style: 'bold' | 'dim' | 'green' | 'red', text: string): string {
    return this.#output.isTTY === true ? styleText(style, text, { validateStream: false }) : text;
  }
}
