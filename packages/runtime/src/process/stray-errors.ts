import type { ErrorCode, LogKeys } from '@evenkeel/core';
import { currentReconcile } from '../reconcile/current-reconcile.ts';

/** An error that no code handles: an uncaught exception or an unhandled promise rejection. */
export interface StrayError {
  readonly code: Extract<ErrorCode, 'floating-rejection' | 'uncaught-exception'>;
  /** What happened and the fix, without the message of the error. */
  readonly message: string;
  readonly error: unknown;
  /** The log keys of the run that caused it, even if the run has finished; undefined if no run caused it. */
  readonly reconcile: LogKeys | undefined;
}

/**
 * Calls `report` for each stray error of this process, where Node would exit on the first. The failed work was not done, so the
 * caller should stop the process. Returns a function that removes the listeners.
 * https://nodejs.org/api/process.html#event-uncaughtexception
 */
export function listenForStrayErrors(report: (stray: StrayError) => void): () => void {
  const listener = (code: StrayError['code']) => (error: unknown) =>
    report({ code, message: messages[code], error, reconcile: currentReconcile()?.logKeys });
  const onRejection = listener('floating-rejection');
  const onException = listener('uncaught-exception');
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  return () => {
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onException);
  };
}

const messages: Readonly<Record<StrayError['code'], string>> = {
  'floating-rejection':
    'unhandled promise rejection, so the process stops; add the missing await, or catch the error of the promise',
  'uncaught-exception':
    'uncaught exception, so the process stops; catch the error in the callback of the timer or event that throws it',
};
