import { describeCall } from './api-call.ts';
import { type StruckRound, type SweepOptions, type SweepReport, sweep } from './sweep.ts';

/**
 * Kills an operator at each of its writes, once before the server gets it and once after, starts another one on the same
 * server, lets the scenario go on, and compares the end with that of a run to which nothing happened.
 *
 * Checked: the same objects with the same content, and no object made or deleted more often than in a good run, so that a
 * duplicate that was cleaned up again is found too. Before that, that two good runs end the same, and that an operator that
 * is started where everything is done changes nothing.
 *
 * An operator is killed by making its connection dead in both directions. What it has in memory goes on for a while, and
 * reaches nobody; what it does to other systems than the API server, a sweep cannot undo.
 *
 * Rejects with `sweep-diverged`, naming the writes after which the end was another, and those that no round came to again.
 */
export function crashSweep(options: SweepOptions): Promise<SweepReport> {
  return sweep(options, ({ writes }) =>
    writes.flatMap((write, index): StruckRound[] => {
      const title = (death: string): string =>
        `killed ${death} write ${index + 1} of ${writes.length} (${describeCall(write)})`;
      return (['before', 'after'] as const).map((death) => ({
        title: title(death),
        strike: { atWrite: index + 1, death },
      }));
    }),
  );
}
