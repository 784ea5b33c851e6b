import type { Clock } from '@evenkeel/core';

/** How a command waits for the cluster. */
export interface WaitOptions {
  readonly clock: Clock;
  /** By the monotonic time of the clock. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Receives a line when the state changes. */
  readonly progress: (line: string) => void;
}
