/** An object that could not be rewritten, and the reason. */
export interface ObjectFailure {
  /** `namespace/name`, or `name`. */
  readonly object: string;
  readonly message: string;
}

/** The number of failures that a report lists. The others are only counted. */
export const listedFailures = 20;
