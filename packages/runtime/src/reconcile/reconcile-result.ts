import { type Duration, durationMs, EvenkeelError, placesOf } from '@evenkeel/core';
import { currentReconcile } from './current-reconcile.ts';

/** The result of a run that did not throw. Returned by {@link awaitChange} and {@link requeueAfter}. */
export type ReconcileResult = AwaitChange | RequeueAfter;

export interface AwaitChange {
  readonly outcome: 'await-change';
}

export interface RequeueAfter {
  readonly outcome: 'requeue-after';
  readonly afterMs: number;
}

const awaiting: AwaitChange = Object.freeze({ outcome: 'await-change' });

/**
 * Returns a result for: run again when the object, one of its children or a watched object changes. The run's own writes do not
 * count as changes, because the run has seen their responses. A reconcile method that returns nothing has the same effect.
 */
export function awaitChange(): ReconcileResult {
  return awaiting;
}

/**
 * Returns a result for: run again after `delay`, or earlier if something changes. Resets the backoff of the object. Throws
 * `invalid-duration`, with the line of the call, if `delay` is invalid or a plain number.
 */
export function requeueAfter(delay: Duration): ReconcileResult {
  try {
    return { outcome: 'requeue-after', afterMs: durationMs(delay) };
  } catch (error) {
    if (!(error instanceof EvenkeelError)) throw error;
    const controller = currentReconcile()?.controller;
    const where = controller === undefined ? '' : ` in a reconcile of the controller "${controller}"`;
    const mistake = new EvenkeelError(error.code, error.message, { cause: error });
    // The log has the message of an EvenkeelError without its stack, so the message names the line.
    Error.captureStackTrace(mistake, requeueAfter);
    const { file, line } = placesOf(mistake)[0] ?? {};
    mistake.message = `requeueAfter()${where}${file === undefined ? '' : ` (${file}:${line})`}: ${error.message}`;
    throw mistake;
  }
}
