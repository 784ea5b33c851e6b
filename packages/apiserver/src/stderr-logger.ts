import { type Clock, Logger, type LogKeys } from '@evenkeel/core';

/** Writes warnings and errors to standard error, one JSON object per line, with the same keys as an operator's log. */
export class StderrLogger extends Logger {
  readonly #clock: Clock;
  readonly #keys: LogKeys;

  constructor(clock: Clock, keys: LogKeys = {}) {
    super();
    this.#clock = clock;
    this.#keys = keys;
  }

  debug(): void {}

  info(): void {}

  warn(message: string, keys?: LogKeys): void {
    this.#write('warn', message, keys);
  }

  error(message: string, keys?: LogKeys): void {
    this.#write('error', message, keys);
  }

  child(keys: LogKeys): Logger {
    return new StderrLogger(this.#clock, { ...this.#keys, ...keys });
  }

  #write(level: string, message: string, keys?: LogKeys): void {
    const time = new Date(this.#clock.now()).toISOString();
    process.stderr.write(`${JSON.stringify({ level, time, ...this.#keys, ...keys, msg: message })}\n`);
  }
}
