/** A figure of a benchmark. */
export interface Figure {
  /** The name of the measurement: `listening after the exec of node`. */
  readonly measure: string;
  readonly value: number;
  readonly unit: 'writes' | 'requests' | 'ms' | 'MB' | 'MiB' | 'KB' | 'sockets' | 'per second' | 'ns' | 'us' | 'x';
  /** The least and the greatest of the values of which `value` is the median. */
  readonly spread?: readonly [number, number];
  /** The maximum that we promise, if there is one. */
  readonly bar?: number;
}

/**
 * A benchmark declares its goal and its limits, and runs at two sizes: `small` in every test run, so that it keeps
 * working; `full` on request. It prints figures and does not evaluate them, because machines differ.
 */
export interface Benchmark {
  readonly name: string;
  readonly goal: string;
  readonly nonGoals: string;
  run(size: 'small' | 'full'): Promise<readonly Figure[]>;
}

/** A figure with the median and the spread of several runs. */
export function medianFigure(measure: string, values: readonly number[], unit: Figure['unit'], bar?: number): Figure {
  const spread = [Math.min(...values), Math.max(...values)] as const;
  return { measure, value: median(values), unit, spread, ...(bar === undefined ? {} : { bar }) };
}

/** Returns the median of several runs, so that one slow moment of the machine does not matter. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
