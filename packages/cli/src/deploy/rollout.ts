import type { Client } from '@evenkeel/client';
import { EvenkeelError, type ObjectKey } from '@evenkeel/core';
import { Deployment } from '@evenkeel/kinds/apps/v1';
import { podProblems } from './pod-problems.ts';
import type { WaitOptions } from './wait-options.ts';

const pollMs = 500;
/** The time after which the state is reported. */
const quietMs = 1000;

/**
 * Waits until all pods of a Deployment run its current template and are available. Throws `not-rolled-out` after the time limit or
 * the deadline of the Deployment, with the problems of the pods.
 */
export async function waitForRollout(
  client: Client,
  key: ObjectKey,
  { clock, deadlineMs, signal, progress }: WaitOptions,
): Promise<string> {
  const startedMs = clock.monotonic();
  let reported = '';
  const report = (line: string): void => {
    if (line === reported || clock.monotonic() - startedMs < quietMs) return;
    reported = line;
    progress(line);
  };
  for (;;) {
    const deployment = await client.get(Deployment, key, { signal });
    const state = stateOf(deployment);
    if (state.isDone) return `Deployment ${key.name} is available: ${state.text}`;
    const isLate = clock.monotonic() >= deadlineMs;
    if (isLate || state.failure !== undefined) {
      const problems = await podProblems(client, deployment, true, signal);
      const why = state.failure ?? 'the time limit of --timeout has passed';
      throw new EvenkeelError(
        'not-rolled-out',
        `Deployment ${key.name} is not available, ${state.text}: ${why}; fix the problems of its pods\n${problems.map((line) => `    ${line}`).join('\n')}`.trimEnd(),
      );
    }
    const [problem] = await podProblems(client, deployment, false, signal);
    report(`waiting for Deployment ${key.name}: ${state.text}${problem === undefined ? '' : `; ${problem}`}`);
    await clock.sleep(pollMs, signal);
  }
}

interface RolloutState {
  readonly isDone: boolean;
  readonly text: string;
  /** Set if the Deployment itself has given up. */
  readonly failure: string | undefined;
}

/** Returns the state by the rule of `kubectl rollout status`. */
export function stateOf({ metadata, spec, status = {} }: Deployment): RolloutState {
  const wanted = spec?.replicas ?? 1;
  const { observedGeneration = 0, updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status;
  const isObserved = observedGeneration >= (metadata.generation ?? 0);
  const isDone =
    isObserved && updatedReplicas >= wanted && replicas <= updatedReplicas && availableReplicas >= updatedReplicas;
  const failed = (status.conditions ?? []).find(({ reason }) => reason === 'ProgressDeadlineExceeded');
  const failure =
    isObserved && failed !== undefined ? (failed.message ?? 'its progress deadline has passed') : undefined;
  // The pods of older templates are usually available until new ones are.
  const old = replicas - updatedReplicas;
  const current = isObserved ? Math.max(0, Math.min(updatedReplicas, availableReplicas - old)) : 0;
  return { isDone, text: `${current} of ${wanted} pods`, failure };
}
