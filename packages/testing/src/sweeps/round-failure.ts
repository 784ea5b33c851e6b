import { EvenkeelError } from '@evenkeel/core';

/** The error of a round that did not reach an end. */
export class RoundError extends Error {
  /** What its operators did. */
  readonly report: string;

  constructor(message: string, report: string, cause: unknown) {
    super(message, { cause });
    this.report = report;
  }
}

/** The error of a round whose fault did not happen. */
export class UnstruckError extends Error {}

/** A round that did not end as expected, and why. */
export interface RoundFailure {
  /** `killed during write 3 of 9`. */
  readonly title: string;
  readonly problem: string;
  /** Whether the fault did not happen, so the round shows nothing. Default: false. */
  readonly isUnstruck?: boolean;
}

/** @param cause the error of the first round that did not reach an end. The message describes only the operators of this round. */
export function diverged(
  failures: readonly RoundFailure[],
  cause?: unknown,
  title = 'the operator did not reach the same end state',
): EvenkeelError {
  const report = cause instanceof RoundError ? cause.report : '';
  return new EvenkeelError(
    'sweep-diverged',
    `${title}\n${grouped(failures).join('\n')}${report}`,
    cause === undefined ? {} : { cause },
  );
}

/**
 * Returns `sweep-diverged` if a round ended in another state. Otherwise, returns `sweep-not-repeatable`, because a different number of
 * calls is not a mistake of the operator.
 */
export function failed(failures: readonly RoundFailure[], rounds: number, cause: unknown): EvenkeelError {
  const unstruck = failures.filter(({ isUnstruck }) => isUnstruck === true);
  const others = failures.filter((failure) => !unstruck.includes(failure));
  if (others.length > 0) return diverged([...others, ...unstruck], cause);
  return new EvenkeelError(
    'sweep-not-repeatable',
    `the fault did not happen in ${unstruck.length} of ${rounds} rounds, because the operator made fewer calls than in the rounds ` +
      'without a fault; let the scenario wait until the operator is done, for example until status.readyReplicas of a Deployment ' +
      `has its value. All other rounds reached the same end state\n${grouped(unstruck).join('\n')}`,
  );
}

/** The maximum number of rounds that are named for one problem. */
const roundsNamed = 3;

/** One line for each round, or for a problem that many rounds have. */
function grouped(failures: readonly RoundFailure[]): string[] {
  return [...Map.groupBy(failures, ({ problem }) => problem)].flatMap(([problem, rounds]) => {
    const titles = rounds.map(({ title }) => title);
    const more = titles.length - roundsNamed;
    if (more <= 0) return titles.map((title) => `${title}: ${problem}`);
    return `${titles.slice(0, roundsNamed).join(', ')} and ${more} more ${more === 1 ? 'round' : 'rounds'}: ${problem}`;
  });
}
