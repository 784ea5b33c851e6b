import type { Clock } from '@evenkeel/core';
import type { DaemonSet } from '@evenkeel/kinds';

const firstBackoffMs = 1000;
const longestBackoffMs = 900_000;

interface Backoff {
  readonly backoffMs: number;
  readonly sinceMs: number;
}

/**
 * Delays the deletion of failed pods, by DaemonSet, generation and node: after the first failure the next pod is deleted
 * after a second at the earliest, then after twice as long each time, up to 15 minutes. After twice the maximum without a
 * failure, it starts again. Source: `failedPodsBackoff`, `pkg/controller/daemon/daemon_controller.go`.
 */
export class FailedPods {
  readonly #clock: Clock;
  readonly #backoffs = new Map<string, Backoff>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns 0 if a failed pod of the node may be deleted now, and counts the failure. Otherwise returns the rest of the delay. */
  waitMs({ metadata, status }: DaemonSet, node: string): number {
    const key = `${metadata.uid ?? ''}/${status?.observedGeneration ?? 0}/${node}`;
    const nowMs = this.#clock.now();
    let known = this.#backoffs.get(key);
    if (known !== undefined && nowMs - known.sinceMs > 2 * longestBackoffMs) known = undefined;
    const waitMs = known === undefined ? 0 : known.sinceMs + known.backoffMs - nowMs;
    if (waitMs > 0) return waitMs;
    const backoffMs = known === undefined ? firstBackoffMs : Math.min(longestBackoffMs, 2 * known.backoffMs);
    this.#backoffs.set(key, { backoffMs, sinceMs: nowMs });
    return 0;
  }

  forget(uid: string): void {
    for (const key of this.#backoffs.keys()) if (key.startsWith(`${uid}/`)) this.#backoffs.delete(key);
  }
}
