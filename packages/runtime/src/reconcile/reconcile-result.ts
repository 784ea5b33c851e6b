import { type Duration, durationMs, EvenkeelError } from '@evenkeel/core';
import { currentReconcile } from './current-reconcile.ts';

/** What the queue does with a key after a run that did not throw. Made by {@link awaitChange} and {@link requeueAfter}. */
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
 * Run again when something changes: the object, what it owns, or what its controller watches. What the run itself wrote
 * is no change; it has seen the answer. A reconcile that returns nothing says the same.
 */
export function awaitChange(): ReconcileResult {
  return awaiting;
}

/**
 * Run again after `delay`, or earlier when something changes. Throws `invalid-duration` where it is not one. The key's
 * count of failures begins anew.
 */
export function requeueAfter(delay: Duration): ReconcileResult {
  try {
    return { outcome: 'requeue-after', afterMs: durationMs(delay) };
  } catch (error) {
    if (!(error instanceof EvenkeelError)) throw error;
    const controller = currentReconcile()?.controller;
    const where = controller === undefined ? '' : ` in a reconcile of the controller "${controller}"`;
    throw new EvenkeelError(error.code, `requeueAfter()${where}: ${error.message}`, { cause: error });
  }
}
