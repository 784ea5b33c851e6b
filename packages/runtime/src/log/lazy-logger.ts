import { Logger, type LogKeys } from '@evenkeel/core';

/** A child of a logger that is created with the first line. Most runs write no line, and creating it takes as long as a line. */
export class LazyLogger extends Logger {
  readonly #parent: Logger;
  readonly #keys: LogKeys;
  #made: Logger | undefined;

  constructor(parent: Logger, keys: LogKeys) {
    super();
    this.#parent = parent;
    this.#keys = keys;
  }

  debug(message: string, keys?: LogKeys): void {
    this.#logger.debug(message, keys);
  }

  info(message: string, keys?: LogKeys): void {
    this.#logger.info(message, keys);
  }

  warn(message: string, keys?: LogKeys): void {
    this.#logger.warn(message, keys);
  }

  error(message: string, keys?: LogKeys): void {
    this.#logger.error(message, keys);
  }

  child(keys: LogKeys): Logger {
    return this.#logger.child(keys);
  }

  get #logger(): Logger {
    this.#made ??= this.#parent.child(this.#keys);
    return this.#made;
  }
}
