import { type Clock, type ErrorCode, EvenkeelError, type Logger } from '@evenkeel/core';
import { listenForStopSignal, type ProcessPort } from './stop-signal.ts';

/** The program to run. */
export interface Program {
  /**
   * Runs before anything starts. If it fails because of a mistake of the user, a restart does not help. A signal does not wait
   * for it.
   */
  prepare?(): Promise<void>;
  start(): Promise<void>;
  /** Drains and stops everything, even during `prepare` and `start`. `drained` is whether everything finished by itself. */
  stop(): Promise<{ drained: boolean }>;
  /** Resolves when the program cannot continue: with the error to log, or undefined if it is logged already. */
  readonly failure: Promise<unknown>;
}

/**
 * Runs a program until SIGTERM or SIGINT, then stops it and exits. The exit code is 0 if everything finished in time, 1 if the
 * program failed or the grace period ended first, and 2 if `prepare` failed because of a mistake of the user. Signals work at any
 * time, even during `prepare`. A second signal more than 500 ms after the first exits with 1 at once.
 */
export async function runUntilSignal(
  program: Program,
  { process, clock, logger }: { process: ProcessPort; clock: Clock; logger: Logger },
): Promise<void> {
  const signals = listenForStopSignal(process, clock, (signal) =>
    logger.warn('exiting at once after a second signal', { signal }),
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
  // A failure during the stop, such as a lost Lease, counts like one at any other time.
  else void failure.then(fail);
  try {
    const { drained } = await program.stop();
    // A failure in the last step is logged after one turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    if (!drained) {
      code = 1;
      logger.error('not everything finished within the grace period');
    }
  } catch (error) {
    code = 1;
    reportFailure(logger, error);
  }
  // Listen until the exit: a late signal, such as one that npm passes on, would otherwise determine the exit code.
  process.exit(code);
  signals.close();
}

interface Failed {
  /** Undefined if it is logged already. */
  readonly error: unknown;
  readonly code: number;
}

/** Resolves with the result of a step. Never rejects, because no code awaits the step after a signal. */
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

/** Errors that may be gone at the next start, because other systems cause them. */
const passing: readonly ErrorCode[] = ['cluster-unreachable', 'factory-failed', 'hook-failed'];

function codeOfWrongStart(error: unknown): number {
  return error instanceof EvenkeelError && !passing.includes(error.code) ? 2 : 1;
}

/** Logs a mistake of the user without a stack, and any other error with its stack. */
function reportFailure(logger: Logger, error: unknown): void {
  if (error instanceof EvenkeelError) logger.error(error.message, { code: error.code });
  else logger.error('the manager failed', { error });
}
