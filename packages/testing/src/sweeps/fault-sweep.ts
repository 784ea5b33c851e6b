import type { RequestedKind } from '@evenkeel/client';
import { describeCall } from './api-call.ts';
import { type CallFault, callFaults, canMeet } from './call-fault.ts';
import { type SweepReport, sweep } from './sweep.ts';
import type { SweepOptions } from './sweep-options.ts';

/** The options of {@link faultSweep}. */
export interface FaultSweepOptions<K extends RequestedKind = RequestedKind> extends SweepOptions<K> {
  /** Default: all faults. */
  readonly faults?: readonly CallFault[];
}

/**
 * Makes each call of an operator fail in each of the ways of {@link CallFault}, one in each round, and compares the end
 * state with that of a run without a fault; see `crashSweep()` for what is compared. The operator continues.
 *
 * Operators wait before they retry. A `clock` in the environment with shorter delays makes a sweep faster.
 *
 * Rejects with `sweep-diverged`, naming the calls and faults after which the end state was different, and the calls
 * that no round reached. Rejects with `sweep-not-repeatable` if all end states are equal, but no round reached some calls.
 */
export function faultSweep<K extends RequestedKind>({
  faults = callFaults,
  ...options
}: FaultSweepOptions<K>): Promise<SweepReport> {
  return sweep(options, ({ calls }) =>
    calls.flatMap((call, index) =>
      faults
        .filter((fault) => canMeet(call, fault))
        .map((fault) => ({
          title: `${fault} at call ${index + 1} of ${calls.length} (${describeCall(call)})`,
          strike: { at: index + 1, fault },
        })),
    ),
  );
}
