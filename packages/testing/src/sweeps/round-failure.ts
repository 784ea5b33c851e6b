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
  /** `killed after write 3 of 9`. */
  readonly title: string;
  readonly problem: string;
  /** Whether its fault did not happen, so that nothing is known about its end. Default: false. */
  readonly isUnstruck?: boolean;
}

/** `cause` is the error of the first round that did not reach an end. Only its operators are described. */
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
 * Returns `sweep-diverged` if a round ended in another state, and otherwise `sweep-not-repeatable`, because the operator is not at
 * fault if its rounds do not make equal calls.
 */
export function failed(failures: readonly RoundFailure[], rounds: number, cause: unknown): EvenkeelError {
  const unstruck = failures.filter(({ isUnstruck }) => isUnstruck === true);
  const others = failures.filter((failure) => !unstruck.includes(failure));
  if (others.length > 0) return diverged([...others, ...unstruck], cause);
  return new EvenkeelError(
    'sweep-not-repeatable',
    `${unstruck.length} of ${rounds} rounds had no fault: the operator made fewer calls than in the runs without a fault; let the ` +
      'scenario wait until the operator is done, for example until status.readyReplicas of a Deployment has its value. ' +
      `The other rounds reached the same end state\n${grouped(unstruck).join('\n')}`,
  );
}

/** A problem of more rounds than this is shown once, and only so many of its rounds are named. */
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
