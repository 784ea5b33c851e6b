import { styleText } from 'node:util';
import { printable } from '@evenkeel/core';

/** The level of a line for the user. */
export type Level = 'error' | 'notice';

/** The streams and the folder that a command uses. */
export interface Terminal {
  /** The working folder. */
  readonly folder: string;
  /** Whether `err` is a terminal. Then long steps are reported. Default: false. */
  readonly isInteractive?: boolean;
  /** Resolves when stdout is closed, as after `| head -3`. Default: never. */
  readonly abandoned?: Promise<void> | undefined;
  /**
   * Makes only this terminal write to stdout; the output of other code goes to stderr. Called for `--output json`. Default: does nothing.
   */
  reserve?(): void;
  /** Writes lines of the result to stdout. */
  out(text: string): void;
  /** Writes lines of the user's sources to stdout. Tabs and the ends of lines stay as they are, so that another program can read them. Default: like `out`. */
  outSource?(text: string): void;
  /** Writes lines for the user to stderr, each after the level if there is one, unless it {@link isContinuation}. */
  err(text: string, level?: Level): void;
}

export interface TerminalOptions extends Omit<Terminal, 'out' | 'outSource' | 'err'> {
  /** Whether `err` may have colours. Default: false. */
  readonly hasColors?: boolean;
  /** Writes one line, without the newline. */
  out(line: string): void;
  err(line: string): void;
}

/**
 * Creates the terminal of a command. It prints texts that may contain anything, such as the message of an error in a
 * module: only their newlines have an effect, and each line after a level has that level or is indented.
 */
export function createTerminal({ hasColors = false, out, err, ...terminal }: TerminalOptions): Terminal {
  const painted = (level: Level): string =>
    hasColors ? styleText(['bold', level === 'error' ? 'red' : 'yellow'], level, { validateStream: false }) : level;
  return {
    ...terminal,
    out: (text) => {
      for (const line of text.split('\n')) out(printable(line));
    },
    outSource: (text) => {
      for (const line of text.replace(/\n$/, '').split('\n')) {
        const [content = ''] = line.split(/\r$/);
        out(`${content.split('\t').map(printable).join('\t')}${line.slice(content.length)}`);
      }
    },
    err: (text, level) => {
      const prefix = level === undefined ? '' : `${painted(level)}: `;
      for (const line of text.split('\n'))
        err(isContinuation(line) ? printable(line.trimEnd()) : `${prefix}${printable(line)}`);
    },
  };
}

/** Whether a line, such as one of suggested code, continues the one before it. It is indented, so it has no level. */
export function isContinuation(line: string): boolean {
  return line.startsWith('    ');
}
