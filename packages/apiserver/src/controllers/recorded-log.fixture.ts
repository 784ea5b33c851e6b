import { Logger, type LogKeys } from '@evenkeel/core';

export interface LoggedLine {
  readonly level: string;
  readonly message: string;
  readonly keys: LogKeys;
}

/** A logger that records the entries written to it and to its children. */
export class RecordedLog extends Logger {
  readonly lines: LoggedLine[];
  readonly #keys: LogKeys;

  constructor(lines: LoggedLine[] = [], keys: LogKeys = {}) {
    super();
    this.lines = lines;
    this.#keys = keys;
  }

  debug(message: string, keys?: LogKeys): void {
    this.#add('debug', message, keys);
  }

  info(message: string, keys?: LogKeys): void {
    this.#add('info', message, keys);
  }

  warn(message: string, keys?: LogKeys): void {
    this.#add('warn', message, keys);
  }

  error(message: string, keys?: LogKeys): void {
    this.#add('error', message, keys);
  }

  child(keys: LogKeys): Logger {
    return new RecordedLog(this.lines, { ...this.#keys, ...keys });
  }

  #add(level: string, message: string, keys?: LogKeys): void {
    this.lines.push({ level, message, keys: { ...this.#keys, ...keys } });
  }
}
