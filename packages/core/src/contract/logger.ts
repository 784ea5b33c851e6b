/** The variable values of a log line; its message is constant. Never pass the contents of a Secret. */
export type LogKeys = Readonly<Record<string, unknown>>;

/** The log of an operator. It is a class so that it can be the type of a constructor parameter. */
export abstract class Logger {
  abstract debug(message: string, keys?: LogKeys): void;
  abstract info(message: string, keys?: LogKeys): void;
  abstract warn(message: string, keys?: LogKeys): void;
  abstract error(message: string, keys?: LogKeys): void;
  /** Returns a logger that adds `keys` to each line. */
  abstract child(keys: LogKeys): Logger;
}

/** A logger that writes nothing. */
export class SilentLogger extends Logger {
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
  child(): Logger {
    return this;
  }
}
