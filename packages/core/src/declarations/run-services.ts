/** The place of a value that a function controller gets in each run, among the values of its constructor. */
export class OnlyInRun {
  /** Creates the error of a function that uses the value outside of a run. */
  readonly error: () => Error;

  constructor(error: () => Error) {
    this.error = error;
  }
}

/** The values of one run, by their names in `inject()`: the last parameter of a call of a function controller's method. */
export class RunServices {
  readonly values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.values = values;
  }
}
