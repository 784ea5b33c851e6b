import { type Clock, EvenkeelError } from '@evenkeel/core';
import type { HealthCheck } from '../http/health-handler.ts';

/** Passes by returning or resolving, whatever the value; fails by what it throws. */
export type OwnCheck = (signal: AbortSignal) => unknown;

/** A probe of the kubelet gives up after a second by default; nobody waits for longer than this. */
const patienceMs = 5000;

/** Throws `invalid-option` where a check cannot be asked for by its name. */
export function verifyOwnChecks(checks: Readonly<Record<string, OwnCheck>>): void {
  for (const name of Object.keys(checks)) {
    const isTaken = name === 'manager' || name.startsWith('controller-');
    if (/^[\w.-]{1,63}$/.test(name) && !isTaken) continue;
    throw new EvenkeelError(
      'invalid-option',
      `health.readiness: ${JSON.stringify(name)} cannot be a check's name; ${isTaken ? 'the manager has one of that name' : 'it has letters, digits, _, - and ., 63 at most'}`,
    );
  }
}

/** Runs all of them at once. What takes longer than 5 s has failed, and its signal is aborted. */
export function runOwnChecks(checks: Readonly<Record<string, OwnCheck>>, clock: Clock): Promise<HealthCheck[]> {
  return Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<HealthCheck> => {
      const timeout = new AbortController();
      const timer = clock.schedule(
        patienceMs,
        () => timeout.abort(new Error(`it has not answered within ${patienceMs} ms`)),
        { unref: true },
      );
      const tooLong = new Promise((_resolve, reject) => {
        timeout.signal.addEventListener('abort', () => reject(timeout.signal.reason), { once: true });
      });
      try {
        await Promise.race([(async () => check(timeout.signal))(), tooLong]);
        return { name, problem: undefined };
      } catch (error) {
        return { name, problem: error instanceof Error ? error.message : String(error) };
      } finally {
        timer.cancel();
      }
    }),
  );
}
