/** The streams and the folder that a command uses. */
export interface Terminal {
  /** The working folder. */
  readonly folder: string;
  /** Whether `err` is a terminal. Then it may have colours, and long steps are reported. Default: false. */
  readonly isInteractive?: boolean;
  /** Whether `err` may have colours. Default: false. */
  readonly hasColors?: boolean;
  /** Resolves when stdout is closed, as after `| head -3`. Default: never. */
  readonly abandoned?: Promise<void>;
  /** Writes a line of the result to stdout. */
  out(line: string): void;
  /** Writes a line for the user to stderr. */
  err(line: string): void;
}
