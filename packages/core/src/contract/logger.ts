/** Keys beside a message: constant text in the message, what varies here. Never the contents of a Secret. */
export type LogKeys = Readonly<Record<string, unknown>>;

/** Where an operator writes what happens to it. A class, so that it can stand in a constructor's signature. */
export abstract class Logger {
  abstract debug(message: string, keys?: LogKeys): void;
  abstract info(message: string, keys?: LogKeys): void;
  abstract warn(message: string, keys?: LogKeys): void;
  abstract error(message: string, keys?: LogKeys): void;
  /** A logger that adds `keys` to everything it writes. */
  abstract child(keys: LogKeys): Logger;
}

/** Writes nothing. */
export class SilentLogger extends Logger {
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
  child(): Logger {
    return this;
  }
}
