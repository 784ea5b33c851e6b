import type { ReconcileOutcome } from '@evenkeel/runtime';

/** The properties of a finished run that the session needs. */
export interface RunSummary {
  readonly controller: string;
  readonly kind: string;
  /** `default/web`. */
  readonly key: string;
  readonly outcome: ReconcileOutcome;
  /** The `metadata.generation` of the reconciled object. */
  readonly generation?: number;
  /** The message of the error, with its cause. */
  readonly error?: string;
  /** The last object of another kind that the run created, as for kubectl: `deployment web`. */
  readonly created?: string;
}
