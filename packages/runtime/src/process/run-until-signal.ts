import { type Clock, type ErrorCode, EvenkeelError, type Logger } from '@evenkeel/core';
import { listenForStopSignal, type ProcessPort } from './stop-signal.ts';

/** What is run. */
export interface Program {
  /**
   * Before anything is begun. Where a person's mistake comes up here, another start would not help. A signal does not wait
   * for it.
   */
  prepare?(): Promise<void>;
  start(): Promise<void>;
  /** Drains and stops, what is being prepared or started too; says whether everything ended by itself. */
  stop(): Promise<{ drained: boolean }>;
  /** Resolves when the program cannot go on, with the error that is told; undefined where that has been done. */
  readonly failure: Promise<unknown>;
}

/**
 * Runs a program until SIGTERM or SIGINT, then stops it and exits: 0 when it drained, 1 when it failed or its grace
 * period ended first, 2 where it was given something wrong, so that another start would not help. A signal is obeyed at any
 * time, also while it is prepared. A second one, more than 500 ms after the first, exits 1 at once.
 */
export async function runUntilSignal(
  program: Program,
  { process, clock, logger }: { process: ProcessPort; clock: Clock; logger: Logger },
): Promise<void> {
  const signals = listenForStopSignal(process, clock, (signal) =>
    logger.warn('stopped by a second signal', { signal }),
  );
  const stopAsked = signals.received.then((signal) => {
    logger.info('stopping', { signal });
    return { signal };
  });
  const failure = program.failure.then((error): Failed => ({ error, code: 1 }));
  let code = 0;
  let end = await Promise.race([settled(program.prepare?.(), codeOfWrongStart), failure, stopAsked]);
  if ('done' in end) end = await Promise.race([settled(program.start(), () => 1), failure, stopAsked]);
  if ('done' in end) end = await Promise.race([failure, stopAsked]);
  const fail = ({ error, code: failed }: Failed): void => {
    code = failed;
    if (error !== undefined) reportFailure(logger, error);
  };
  if ('error' in end) fail(end);
  // What fails while a signal is obeyed, as a Lease that is lost, counts as at any time.
  else void failure.then(fail);
  try {
    const { drained } = await program.stop();
    // What failed in its last step has been told after a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    if (!drained) {
      code = 1;
      logger.error('not everything ended within the grace period');
    }
  } catch (error) {
    code = 1;
    reportFailure(logger, error);
  }
  // Listening to the end: a late signal, as npm passes one on, would decide what the process exits with.
  process.exit(code);
  signals.close();
}

interface Failed {
  /** Undefined where it has been told. */
  readonly error: unknown;
  readonly code: number;
}

/** What a step comes to, and never a rejection: after a signal nobody would hear of one. */
async function settled(
  step: Promise<void> | undefined,
  codeOf: (error: unknown) => number,
): Promise<{ done: true } | Failed> {
  try {
    await step;
    return { done: true };
  } catch (error) {
    return { error, code: codeOf(error) };
  }
}

/** Mistakes that nobody has to mend: what is beyond the process may be there at the next start. */
const passing: readonly ErrorCode[] = ['cluster-unreachable', 'hook-failed'];

function codeOfWrongStart(error: unknown): number {
  return error instanceof EvenkeelError && !passing.includes(error.code) ? 2 : 1;
}

/** A person's mistake is told in one line; anything else keeps its stack. */
function reportFailure(logger: Logger, error: unknown): void {
  if (error instanceof EvenkeelError) logger.error(error.message, { code: error.code });
  else logger.error('the manager failed', { error });
}
