import type { Logger, ObjectKey } from '@evenkeel/core';
import type { ReconcileOutcome } from './reconcile-run.ts';
import type { Trigger } from './trigger.ts';

export interface ReconcileRequest {
  readonly key: ObjectKey;
  readonly triggers: readonly Trigger[];
  /** Aborted when the run exceeds its timeout, or when the manager's grace period is over. */
  readonly signal: AbortSignal;
  /** Adds the keys of the controller and the run to each line. */
  readonly logger: Logger;
}

export interface ReconcileReport {
  readonly outcome: Exclude<ReconcileOutcome, 'failed' | 'terminal'>;
  /** For `requeue-after`. */
  readonly afterMs?: number;
  /** The generation of the reconciled object. */
  readonly generation?: number;
}

/**
 * Reconciles one key. A rejection is retried with backoff, except a TerminalError. Calls for the same key never overlap.
 */
export type Reconciler = (request: ReconcileRequest) => Promise<ReconcileReport>;
