import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogKeys } from '@evenkeel/core';

/** Which run of which reconcile the code that asks was started by, however deep and however late. */
export interface CurrentReconcile {
  readonly controller: string;
  readonly key: string;
  /** What lines of the log about it say. */
  readonly logKeys: LogKeys;
}

const current = new AsyncLocalStorage<CurrentReconcile>();

/** Calls `run`; all that it starts, and what that starts, knows {@link currentReconcile}. */
export function asReconcile<T>(reconcile: CurrentReconcile, run: () => T): T {
  return current.run(reconcile, run);
}

/** Undefined outside of reconciles. Also there when a promise that nobody awaits is rejected. */
export function currentReconcile(): CurrentReconcile | undefined {
  return current.getStore();
}
