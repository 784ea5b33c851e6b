/** One figure of a benchmark. */
export interface Figure {
  /** What was measured: `listening after the exec of node`. */
  readonly measure: string;
  readonly value: number;
  readonly unit: 'writes' | 'requests' | 'ms' | 'MB' | 'MiB' | 'KB' | 'sockets' | 'per second' | 'ns' | 'us';
  /** What it should be at most, where we have promised something. */
  readonly bar?: number;
}

/**
 * A benchmark says what it is for and what it is not for, and runs at two sizes: `small` in every test run, so that it
 * cannot rot; `full` when a person asks. It prints figures; it judges none, because machines differ.
 */
export interface Benchmark {
  readonly name: string;
  readonly goal: string;
  readonly nonGoals: string;
  run(size: 'small' | 'full'): Promise<readonly Figure[]>;
}

/** The middle of several runs, so that one slow moment of the machine does not count. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
