import { Logger, type LogKeys } from '@evenkeel/core';
import type { Logger as Pino } from 'pino';
import { loggable, withoutTokens } from './loggable.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface PinoLoggerOptions {
  /** The least level that is written. Default `info`. */
  level?: LogLevel;
  /** Where lines go. Default: standard output, synchronously, so that nothing is lost at exit. */
  destination?: { write(line: string): void };
}

/**
 * A logger that writes one JSON object a line: `level` in words, `time` in RFC 3339, `msg`, then the keys. An `Error`
 * under any key becomes its name and message, with the stack where that tells more than the message; a Kubernetes object its
 * kind, namespace and name. Loads pino when called, not when imported.
 *
 * Withheld are what stands under `data`, `stringData`, `binaryData` and the annotation of the last apply, wherever it is, and bearer
 * tokens in texts. What a program takes out of a Secret and logs under a name of its own is beyond that.
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
