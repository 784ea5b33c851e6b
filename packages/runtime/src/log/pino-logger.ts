import { EvenkeelError, Logger, type LogKeys, StatusError } from '@evenkeel/core';
import type { Logger as Pino } from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface PinoLoggerOptions {
  /** The least level that is written. Default `info`. */
  level?: LogLevel;
  /** Where lines go. Default: standard output, synchronously, so that nothing is lost at exit. */
  destination?: { write(line: string): void };
}

/**
 * A logger that writes one JSON object a line: `level` in words, `time` in RFC 3339, `msg`, then the keys. An `Error`
 * under any key becomes its name and message, with the stack where that tells more than the message. Loads pino when
 * called, not when imported.
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
    if (this.#pino.isLevelEnabled('debug')) this.#pino.debug(readable(keys), message);
  }

  info(message: string, keys?: LogKeys): void {
    if (this.#pino.isLevelEnabled('info')) this.#pino.info(readable(keys), message);
  }

  warn(message: string, keys?: LogKeys): void {
    if (this.#pino.isLevelEnabled('warn')) this.#pino.warn(readable(keys), message);
  }

  error(message: string, keys?: LogKeys): void {
    if (this.#pino.isLevelEnabled('error')) this.#pino.error(readable(keys), message);
  }

  child(keys: LogKeys): Logger {
    return new PinoLogger(this.#pino.child(readable(keys)));
  }
}

/** Keys in a form that JSON keeps: an Error has no enumerable properties of its own, a key has its text. */
function readable(keys: LogKeys | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(keys ?? {}).map(([name, value]) => [name, value instanceof Error ? readableError(value) : value]),
  );
}

/** The stack only where it helps: not of a refusal, a mistake that the message explains, or a connection that failed. */
function readableError(error: Error): Record<string, unknown> {
  const explained = error instanceof StatusError || error instanceof EvenkeelError || 'syscall' in error;
  return {
    type: error.name,
    message: error.message,
    ...(error instanceof StatusError ? { reason: error.reason } : {}),
    ...('code' in error ? { code: error.code } : {}),
    ...(explained ? {} : { stack: error.stack }),
    ...(error.cause instanceof Error ? { cause: readableError(error.cause) } : {}),
  };
}
