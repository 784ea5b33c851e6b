import { type Clock, EvenkeelError, messageOf } from '@evenkeel/core';
import type { HealthCheck } from '../http/health-handler.ts';

/** A check. It passes if it returns or resolves, with any value. It fails if it throws or rejects. */
export type OwnCheck = (signal: AbortSignal) => unknown;

/** The time limit for a check. The kubelet's probes have a default timeout of one second. */
const patienceMs = 5000;

/** Throws `invalid-option` if the name of a check is invalid. */
export function verifyOwnChecks(checks: Readonly<Record<string, OwnCheck>>): void {
  for (const name of Object.keys(checks)) {
    const isTaken = name === 'manager' || name.startsWith('controller-');
    if (/^[\w.-]{1,63}$/.test(name) && !isTaken) continue;
    throw new EvenkeelError(
      'invalid-option',
      `health.readiness: invalid check name ${JSON.stringify(name)}; ${isTaken ? 'use another name, because the manager has a check of that name' : 'use at most 63 letters, digits, "_", "-" and "."'}`,
    );
  }
}

/** Runs all checks at once. A check that takes longer than 5 s fails, and its signal is aborted. */
export function runOwnChecks(checks: Readonly<Record<string, OwnCheck>>, clock: Clock): Promise<HealthCheck[]> {
  return Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<HealthCheck> => {
      const timeout = new AbortController();
      const timer = clock.schedule(
        patienceMs,
        () => timeout.abort(new Error(`the check did not finish within ${patienceMs} ms`)),
        { unref: true },
      );
      const tooLong = new Promise((_resolve, reject) => {
        timeout.signal.addEventListener('abort', () => reject(timeout.signal.reason), { once: true });
      });
      try {
        await Promise.race([(async () => check(timeout.signal))(), tooLong]);
        return { name, problem: undefined };
      } catch (error) {
        return { name, problem: messageOf(error) };
      } finally {
        timer.cancel();
      }
    }),
  );
}
