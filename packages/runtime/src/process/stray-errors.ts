import type { ErrorCode, LogKeys } from '@evenkeel/core';
import { currentReconcile } from '../reconcile/current-reconcile.ts';

/** An error that reached nobody: it was thrown where nothing catches, or rejected a promise that nobody awaits. */
export interface StrayError {
  readonly code: Extract<ErrorCode, 'floating-rejection' | 'uncaught-exception'>;
  /** What came about and what mends it, without what the error itself says. */
  readonly message: string;
  readonly error: unknown;
  /** The log's keys of the reconcile that it comes from, however late; undefined where it comes from none. */
  readonly reconcile: LogKeys | undefined;
}

/**
 * Tells each stray error of this process, instead of the end that Node makes on the first; what was to be done has not been
 * done, so whoever listens shall stop. Returns how the listening ends. https://nodejs.org/api/process.html#event-uncaughtexception
 */
export function listenForStrayErrors(tell: (stray: StrayError) => void): () => void {
  const listener = (code: StrayError['code']) => (error: unknown) =>
    tell({ code, message: messages[code], error, reconcile: currentReconcile()?.logKeys });
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
  'floating-rejection': 'a promise was rejected that nobody awaits, so it ends; await it, or catch what it may throw',
  'uncaught-exception':
    'an error was thrown that nothing can catch, so it ends; catch it in the callback of the timer or event that throws it',
};
