import type { Clock } from '@evenkeel/core';
import type { Probe } from '@evenkeel/kinds/core/v1';

/** The pause between probes until the first success. The kubelet waits a whole period, which would slow each test. */
const firstPauseMs = 200;

/** The result of a probe: it succeeded, or it failed as often as its threshold allows, with the last failure. */
export type ProbeResult = { readonly succeeded: true } | { readonly succeeded: false; readonly failure: string };

/**
 * Probes a container by the times of its probe, until the signal is aborted or `found` returns true. Failures count once per period, even
 * while it probes more often.
 */
export async function probeOnSchedule(
  spec: Probe,
  attempt: (signal: AbortSignal) => Promise<string | undefined>,
  { clock, signal, found }: { clock: Clock; signal: AbortSignal; found: (result: ProbeResult) => boolean },
): Promise<void> {
  const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1 } = spec;
  const { successThreshold = 1, failureThreshold = 3 } = spec;
  const periodMs = periodSeconds * 1000;
  let [successes, failures] = [0, 0];
  let hasSucceeded = false;
  let countedMs = Number.NEGATIVE_INFINITY;
  try {
    await clock.sleep(initialDelaySeconds * 1000, signal);
    for (;;) {
      const failure = await inTime(attempt, timeoutSeconds * 1000, clock, signal);
      if (signal.aborted) return;
      if (failure === undefined) {
        failures = 0;
        successes++;
        if (successes >= successThreshold) {
          hasSucceeded = true;
          if (found({ succeeded: true })) return;
        }
      } else {
        successes = 0;
        const nowMs = clock.monotonic();
        if (hasSucceeded || nowMs - countedMs >= periodMs) {
          countedMs = nowMs;
          failures++;
        }
        if (failures >= failureThreshold) {
          failures = 0;
          if (found({ succeeded: false, failure })) return;
        }
      }
      await clock.sleep(hasSucceeded ? periodMs : Math.min(periodMs, firstPauseMs), signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function inTime(
  attempt: (signal: AbortSignal) => Promise<string | undefined>,
  timeoutMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | undefined> {
  const late = new AbortController();
  const timer = clock.schedule(timeoutMs, () => late.abort(new Error(`no response within ${timeoutMs} ms`)));
  try {
    return await attempt(AbortSignal.any([signal, late.signal]));
  } finally {
    timer.cancel();
  }
}
