/** Where a command writes, and where it stands. */
export interface Terminal {
  /** The working folder. */
  readonly folder: string;
  /** A line for the reader of the result. */
  out(line: string): void;
  /** A line for a person beside it. */
  err(line: string): void;
}
