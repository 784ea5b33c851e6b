import { Logger, type LogKeys, withoutTokens } from '@evenkeel/core';
import type { Logger as Pino } from 'pino';
import { loggable } from './loggable.ts';

/** The levels of log lines, from the lowest to the highest; `silent` writes none. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** The options of a logger that writes JSON lines. */
export interface PinoLoggerOptions {
  /** The lowest level that is written. Default: `info`. */
  level?: LogLevel;
  /** The destination of lines. Default: standard output, written synchronously so that no line is lost at exit. */
  destination?: { write(line: string): void };
}

/**
 * Creates a logger that writes one JSON object per line: `level` as a word, `time` in RFC 3339, `msg`, then the keys. An
 * `Error` under any key is written as its name and message, with the stack if that has more information. A Kubernetes object is
 * written as its kind, namespace and name. The function loads pino when it is called, not when it is imported.
 *
 * Promised: it withholds bearer tokens in strings, and all values with the keys `data`, `stringData`, `binaryData` and the
 * last-applied annotation. Not promised: it cannot recognize a value of a Secret that a program logs under another key.
 */
export async function createPinoLogger(options: PinoLoggerOptions = {}): Promise<Logger> {
  const { pino } = await import('pino');
  return new PinoLogger(
    pino(
      {
        level: options.level ?? 'info',
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      options.destination ?? pino.destination({ dest: 1, sync: true }),
    ),
  );
}

class PinoLogger extends Logger {
  readonly #pino: Pino;

  constructor(pino: Pino) {
    super();
    this.#pino = pino;
  }

  debug(message: string, keys?: LogKeys): void {
    if (this.#pino.isLevelEnabled('debug')) this.#pino.debug(readable(keys), withoutTokens(message));
  }

  info(message: string, keys?: LogKeys): void {
    if (this.#pino.isLevelEnabled('info')) this.#pino.info(readable(keys), withoutTokens(message));
  }

  warn(message: string, keys?: LogKeys): void {
    if (this.#pino.isLevelEnabled('warn')) this.#pino.warn(readable(keys), withoutTokens(message));
  }

  error(message: string, keys?: LogKeys): void {
    if (this.#pino.isLevelEnabled('error')) this.#pino.error(readable(keys), withoutTokens(message));
  }

  child(keys: LogKeys): Logger {
    return new PinoLogger(this.#pino.child(readable(keys)));
  }
}

function readable(keys: LogKeys | undefined): Record<string, unknown> {
  return keys === undefined ? {} : loggable(keys);
}
