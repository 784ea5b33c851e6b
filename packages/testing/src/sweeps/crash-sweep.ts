import type { RequestedKind } from '@evenkeel/client';
import { describeCall } from './api-call.ts';
import { type StruckRound, type SweepReport, sweep } from './sweep.ts';
import type { SweepOptions } from './sweep-options.ts';
import { type Death, deaths } from './swept-transport.ts';

/**
 * Kills an operator at each of its writes, at each of three moments: before the server receives the write, before the operator receives
 * the response, and when the operator has the response and sends its next request. Then starts another operator on the same server, lets
 * the scenario continue, and compares the end state with that of a run without a fault.
 *
 * Checked: the same objects with the same content, and no object created or deleted more often than in a run without a
 * fault, so that a duplicate is found even if it was cleaned up. Also checked: two runs without a fault end in the same
 * state, and an operator that is started with nothing to do changes nothing.
 *
 * To kill an operator, the sweep cuts its connection in both directions. Its code continues for a moment, but reaches
 * no server. The sweep cannot undo what it does to other systems.
 *
 * Rejects with `sweep-diverged`, naming the writes at which the end state was different, and those that no round
 * reached. Rejects with `sweep-not-repeatable` if all end states are equal, but no round reached some writes.
 */
export function crashSweep<K extends RequestedKind>(options: SweepOptions<K>): Promise<SweepReport> {
  return sweep(options, ({ writes }) =>
    writes.flatMap((write, index): StruckRound[] => {
      const title = (death: Death): string =>
        `killed ${death} write ${index + 1} of ${writes.length} (${describeCall(write)})`;
      return deaths.map((death) => ({ title: title(death), strike: { atWrite: index + 1, death } }));
    }),
  );
}
