import { describeCall } from './api-call.ts';
import { type CallFault, callFaults, canMeet } from './call-fault.ts';
import { type SweepOptions, type SweepReport, sweep } from './sweep.ts';

export interface FaultSweepOptions extends SweepOptions {
  /** Default: all of them. */
  readonly faults?: readonly CallFault[];
}

/**
 * Lets each call of an operator fail, one in each round and in each of the ways that {@link CallFault} has, and compares the
 * end with that of a run to which nothing happened; see `crashSweep()` for what is compared. The operator lives on.
 *
 * Operators wait before they try again. A `clock` in the environment on which delays pass quickly makes a sweep quick.
 *
 * Rejects with `sweep-diverged`, naming the calls and faults after which the end was another, and those calls that no round
 * came to again.
 */
export function faultSweep({ faults = callFaults, ...options }: FaultSweepOptions): Promise<SweepReport> {
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
