import { type Duration, durationMs } from '@evenkeel/core';

/** How many replicas a metric requires. */
export interface MetricScaling {
  /** The desired value of the metric for each replica, such as 100 requests a second. More than 0. */
  readonly target: number;
  readonly min: number;
  readonly max: number;
  /** A difference from the target of this part changes nothing. Default: 0.1, as in a HorizontalPodAutoscaler. */
  readonly tolerance?: number;
  /** How long fewer replicas must be enough before any is removed. Default: `5m`, as in a HorizontalPodAutoscaler. */
  readonly lowFor?: Duration;
}

/** Since when fewer replicas would be enough. Keep it in the status. */
export interface LowLoad {
  /** A time of RFC 3339. */
  readonly since: string;
  /** The largest number of replicas that was needed since then. */
  readonly replicas: number;
}

/** The current state of a scaled operand. */
export interface ScaledOperand {
  /** The current number of replicas, as it is declared. */
  readonly replicas: number;
  /** The average of the metric over the replicas; undefined if it cannot be read. */
  readonly measured: number | undefined;
  /** What the status contains. */
  readonly low: LowLoad | undefined;
}

/** The desired state of a scaled operand. */
export interface Scaled {
  readonly replicas: number;
  /** Store it in the status. */
  readonly low: LowLoad | undefined;
}

/**
 * Returns the number of replicas that a metric requires, by the rules of a HorizontalPodAutoscaler with its defaults
 * (kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale): for operands whose replicas a HorizontalPodAutoscaler cannot change,
 * such as members of a database. Call it in each reconcile.
 *
 * Promised:
 * - `replicas * measured / target`, rounded up, between `min` and `max`.
 * - More replicas are added at once, but in one call at most as many as there are, or 4 if there are fewer.
 * - Replicas are removed only if fewer have been enough for `lowFor`, down to the largest number that was needed in that time.
 * - Without a measurement, the number changes only if it is not between `min` and `max`.
 *
 * Not promised: that the load follows the number of replicas. Call it at most as often as the metric is measured.
 *
 * @param now the current time, of the injected `Clock`
 */
export function scaleByMetric(
  { replicas, measured, low }: ScaledOperand,
  { target, min, max, tolerance = 0.1, lowFor = '5m' }: MetricScaling,
  now: Date,
): Scaled {
  const within = (count: number): number => Math.min(max, Math.max(min, count));
  if (measured === undefined) return { replicas: within(replicas), low: undefined };
  const ratio = measured / target;
  const needed = within(Math.abs(ratio - 1) <= tolerance ? replicas : Math.ceil(replicas * ratio));
  if (needed >= replicas) {
    return { replicas: Math.min(needed, Math.max(min, replicas + Math.max(replicas, 4))), low: undefined };
  }
  if (replicas > max) return { replicas: max, low: undefined };
  const since = low?.since ?? now.toISOString();
  const largest = Math.max(needed, low?.replicas ?? 0);
  if (now.getTime() - Date.parse(since) < durationMs(lowFor)) return { replicas, low: { since, replicas: largest } };
  return { replicas: largest, low: undefined };
}
