import { type Duration, durationMs, EvenkeelError } from '@evenkeel/core';

/** The Lease of an election, and its times. */
export interface LeaderElectionOptions {
  /** The name of the Lease. Processes with the same name and namespace are candidates of one election. */
  readonly name: string;
  /** The namespace of the Lease. Default: the namespace of the pod, or of the kubeconfig's context. */
  readonly namespace?: string;
  /** How long other candidates wait after the last renewal before they take the Lease. Whole seconds. Default: `'15s'`. */
  readonly leaseDuration?: Duration;
  /** How long the leader may write after its last renewal. Less than `leaseDuration`. Default: `'10s'`. */
  readonly renewDeadline?: Duration;
  /** The interval of the leader's renewals, and the minimum interval of a candidate's attempts. Default: `'2s'`. */
  readonly retryPeriod?: Duration;
  /**
   * Whether a stop releases the Lease, so that the next leader does not have to wait until it expires. The Lease is released
   * after all code that writes has ended. Default: true. In client-go, `ReleaseOnCancel` is off by default, because the user's
   * code may still run at that time.
   */
  readonly releaseOnStop?: boolean;
  /**
   * Asks the leader to step aside: it finishes its current runs, releases the Lease and exits. This process leads then, until it
   * stops, and gives the Lease back. It never takes a Lease that has not expired. `evenkeel run` sets it. Default: false.
   */
  readonly stepIn?: boolean;
}

/** The times of an election, in milliseconds. */
export interface ElectionTiming {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** client-go's `JitterFactor` (tools/leaderelection): a candidate waits 1 to 2.2 retry periods. */
export const jitterFactor = 1.2;

/**
 * Returns the times of the options, with client-go's defaults, and checks client-go's rules for their combination
 * (`leaderelection.NewLeaderElector`). Throws `invalid-option` and `invalid-duration`.
 */
export function electionTiming(options: LeaderElectionOptions): ElectionTiming {
  const leaseDurationMs = durationMs(options.leaseDuration ?? '15s');
  const renewDeadlineMs = durationMs(options.renewDeadline ?? '10s');
  const retryPeriodMs = durationMs(options.retryPeriod ?? '2s');
  if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(options.name)) {
    throw invalid(
      `name ${JSON.stringify(options.name)} is not a valid Lease name; use lower-case letters, digits, "-" and "."`,
    );
  }
  if (leaseDurationMs < 1000 || leaseDurationMs % 1000 !== 0) {
    throw invalid(
      `leaseDuration is ${leaseDurationMs} ms; the Lease stores whole seconds; use a whole number of at least 1`,
    );
  }
  if (renewDeadlineMs >= leaseDurationMs) {
    throw invalid(
      `renewDeadline (${renewDeadlineMs} ms) is not less than leaseDuration (${leaseDurationMs} ms), so requests in progress would have no time to finish before another process leads; set a shorter renewDeadline`,
    );
  }
  if (retryPeriodMs <= 0 || renewDeadlineMs <= jitterFactor * retryPeriodMs) {
    throw invalid(
      `renewDeadline (${renewDeadlineMs} ms) is not more than ${jitterFactor} times retryPeriod (${retryPeriodMs} ms), or retryPeriod is not positive, so the leader would give up before its second try; set a longer renewDeadline or another retryPeriod`,
    );
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}

function invalid(what: string): EvenkeelError {
  return new EvenkeelError('invalid-option', `leaderElection: ${what}`);
}
