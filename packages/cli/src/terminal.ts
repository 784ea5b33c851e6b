/** Where a command writes, and where it stands. */
export interface Terminal {
  /** The working folder. */
  readonly folder: string;
  /** Whether a person looks at what `err` writes: then it may have colours, and says what takes long. Default: false. */
  readonly isInteractive?: boolean;
  /** Whether colours are wanted there. Default: false. */
  readonly hasColors?: boolean;
  /** Resolves when nobody reads any more what is written, as after `| head -3`. Default: never. */
  readonly abandoned?: Promise<void>;
  /** A line for the reader of the result. */
  out(line: string): void;
  /** A line for a person beside it. */
  err(line: string): void;
}
