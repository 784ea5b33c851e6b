import type { Logger, ObjectKey } from '@evenkeel/core';
import type { ReconcileOutcome } from './reconcile-run.ts';
import type { Trigger } from './trigger.ts';

export interface ReconcileRequest {
  readonly key: ObjectKey;
  readonly triggers: readonly Trigger[];
  /** Aborted when the run has overrun its timeout, or the manager's grace period is over. */
  readonly signal: AbortSignal;
  /** Says with each line which run of which controller it is of. */
  readonly logger: Logger;
}

export interface ReconcileReport {
  readonly outcome: Exclude<ReconcileOutcome, 'failed' | 'terminal'>;
  /** For `requeue-after`. */
  readonly afterMs?: number;
  /** Of the object that the reconcile was handed. */
  readonly generation?: number;
}

/**
 * Handles one key. A rejection is retried with backoff, or not at all where it is a TerminalError. Never called for one
 * key twice at once.
 */
export type Reconciler = (request: ReconcileRequest) => Promise<ReconcileReport>;
