import type { Client } from '@evenkeel/client';
import { eventuallyAmong } from '../eventually.ts';
import type { SweepRound } from './sweep-options.ts';

/**
 * A round whose scenario stops at its next wait, or in it, when the round is abandoned. It could otherwise keep the
 * process of the test running. `timeLeftMs` returns the default time limit of a wait.
 */
export function abandonableRound(
  namespace: string,
  client: Client,
  timeLeftMs: () => number,
  compare: () => Promise<void>,
): SweepRound & { abandon(): void } {
  let isAbandoned = false;
  const abandoned = Promise.withResolvers<never>();
  abandoned.promise.catch(() => undefined);
  const eventually: SweepRound['eventually'] = (assertion, given) =>
    Promise.race([
      // After the end, an attempt resolves, so that nothing waits any more. The error of the round has the report.
      eventuallyAmong([], eventually, () => (isAbandoned ? (undefined as never) : assertion()), {
        timeout: `${timeLeftMs()}ms`,
        ...given,
      }),
      abandoned.promise,
    ]);
  return {
    namespace,
    client,
    eventually,
    compare: () => Promise.race([compare(), abandoned.promise]),
    abandon: () => {
      isAbandoned = true;
      abandoned.reject(new Error(`the round in ${namespace} is over`));
    },
  };
}
