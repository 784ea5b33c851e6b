import { type Clock, EvenkeelError, type Logger } from '@evenkeel/core';
import { listenForStopSignal, type ProcessPort } from './stop-signal.ts';

/** What is run. */
export interface Program {
  /** Before anything is begun. Where a person's mistake comes up here, another start would not help. */
  prepare?(): Promise<void>;
  start(): Promise<void>;
  /** Drains and stops; says whether everything ended by itself. */
  stop(): Promise<{ drained: boolean }>;
  /** Resolves when the program cannot go on, with the error that is told; undefined where that has been done. */
  readonly failure: Promise<unknown>;
}

/**
 * Runs a program until SIGTERM or SIGINT, then stops it and exits: 0 when it drained, 1 when it failed or its grace
 * period ended first, 2 where it was given something wrong, so that another start would not help. A second signal, more
 * than 500 ms after the first, exits 1 at once.
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
  let code = 0;
  let isPrepared = false;
  try {
    await program.prepare?.();
    isPrepared = true;
    const failure = program.failure.then((error) => ({ error }));
    const started = program.start().then(() => ({ started: true }));
    let end: object = await Promise.race([started, failure, stopAsked]);
    if ('started' in end) end = await Promise.race([failure, stopAsked]);
    if ('error' in end) throw end.error;
    // A start that a signal interrupts may reject; the signal is the reason that counts.
    started.catch(() => undefined);
  } catch (error) {
    code = isPrepared || !(error instanceof EvenkeelError) ? 1 : 2;
    if (error !== undefined) reportFailure(logger, error);
  }
  try {
    const { drained } = await program.stop();
    if (!drained) {
      code = 1;
      logger.error('not everything ended within the grace period');
    }
  } catch (error) {
    code = 1;
    reportFailure(logger, error);
  }
  signals.close();
  process.exit(code);
}

/** A person's mistake is told in one line; anything else keeps its stack. */
function reportFailure(logger: Logger, error: unknown): void {
  if (error instanceof EvenkeelError) logger.error(error.message, { code: error.code });
  else logger.error('the manager failed', { error });
}
