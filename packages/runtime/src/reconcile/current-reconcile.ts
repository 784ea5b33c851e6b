import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogKeys } from '@evenkeel/core';

/** The run that started the calling code, directly or indirectly. */
export interface CurrentReconcile {
  readonly controller: string;
  readonly key: string;
  /** The keys of its log lines. */
  readonly logKeys: LogKeys;
}

const current = new AsyncLocalStorage<CurrentReconcile>();

/** Calls `run`. In everything that it starts, directly or indirectly, {@link currentReconcile} returns it. */
export function asReconcile<T>(reconcile: CurrentReconcile, run: () => T): T {
  return current.run(reconcile, run);
}

/** Returns undefined outside of runs. It also works in the handler of an unhandled rejection. */
export function currentReconcile(): CurrentReconcile | undefined {
  return current.getStore();
}
