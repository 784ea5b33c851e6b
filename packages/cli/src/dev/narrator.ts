import { styleText } from 'node:util';
import type { Clock } from '@evenkeel/core';

/** Where a narrator writes: `process.stdout`, or a test's list of lines. */
export interface NarratorOutput {
  write(text: string): unknown;
  /** Colours are used only where people look at a terminal. */
  readonly isTTY?: boolean;
}

export type Tone = 'plain' | 'good' | 'bad' | 'quiet';

const styles = { plain: undefined, good: 'green', bad: 'red', quiet: 'dim' } as const;

/**
 * Tells what happens, a line each, as it happens: when, about what, and what. In a terminal with colours, elsewhere
 * plain. Not for machines: the wording may change with any version.
 */
export class Narrator {
  readonly #output: NarratorOutput;
  readonly #clock: Clock;
  readonly #startMs: number;

  /** `startMs` is the moment the times count from, on the clock's monotonic scale. */
  constructor(output: NarratorOutput, clock: Clock, startMs: number) {
    this.#output = output;
    this.#clock = clock;
    this.#startMs = startMs;
  }

  /** `  0.31 s  reconcile   default/web: ...`. `aside` comes after, in a quieter tone. */
  tell(topic: string, text: string, options: { tone?: Tone; aside?: string } = {}): void {
    const seconds = ((this.#clock.monotonic() - this.#startMs) / 1000).toFixed(2).padStart(6);
    const aside = options.aside === undefined ? '' : `  ${this.#paint('dim', options.aside)}`;
    const style = styles[options.tone ?? 'plain'];
    const body = style === undefined ? text : this.#paint(style, text);
    this.#output.write(
      `${this.#paint('dim', `${seconds} s`)}  ${this.#paint('bold', topic.padEnd(10))} ${body}${aside}\n`,
    );
  }

  /** Lines without a time: a heading, an explanation. */
  say(text: string, tone: Tone = 'plain'): void {
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
