import type { ApiResource, ObjectKey } from '@evenkeel/core';
import type { Trigger } from './trigger.ts';

/** A write request of a run, and its effect. */
export interface ObjectWrite {
  readonly verb: 'create' | 'update' | 'patch' | 'apply' | 'delete';
  readonly resource: ApiResource;
  readonly key: ObjectKey;
  readonly subresource?: string;
  /** The resourceVersion in the response. Undefined for a delete. */
  readonly resourceVersion?: string;
  readonly uid?: string;
  /** The effect of the request, compared with the cached object. */
  readonly effect: 'created' | 'changed' | 'unchanged' | 'deleted';
  /** The changed paths, at most 8. Empty if the object was created or is not cached. */
  readonly changed: readonly string[];
}

/**
 * How a run ended.
 * - `gone`: the object does not exist.
 * - `deleting`: the object is being deleted, and all finalizers of the controller have run.
 * - `conflict`: another client changed the object, so the status was not written, and the object is reconciled again.
 * - `terminal`: the run failed with a TerminalError and is not retried.
 * - `invalid`: the manager's validator rejected the object, so the reconcile method was not called.
 */
export type ReconcileOutcome =
  | 'await-change'
  | 'requeue-after'
  | 'gone'
  | 'deleting'
  | 'conflict'
  | 'failed'
  | 'terminal'
  | 'invalid';

/** A field that the runs of a key write repeatedly, because their writes trigger them again. */
export interface LoopFinding {
  /** The object that has the field: `Deployment default/web`. */
  readonly object: string;
  /** The path, such as `spec.replicas`. `created` or `deleted` if it is the object itself, empty if unknown. */
  readonly path: string;
  /** How long such events now wait before they trigger a run of the key. */
  readonly delayMs: number;
  /** Whether the key was not slowed down before. */
  readonly isNew: boolean;
}

/** A report of one run, passed to observers after its end. */
export interface ReconcileRun {
  readonly controller: string;
  readonly kind: string;
  readonly key: ObjectKey;
  readonly triggers: readonly Trigger[];
  readonly writes: readonly ObjectWrite[];
  readonly durationMs: number;
  /** The `metadata.generation` of the reconciled object. Absent if the method threw or was not called. */
  readonly generation?: number;
  readonly outcome: ReconcileOutcome;
  /** The delay until the next run. Undefined if the key waits for a change. */
  readonly againAfterMs?: number;
  /** Present if the key triggers itself and was slowed down after this run. */
  readonly loop?: LoopFinding;
  /** Present if the outcome is `failed` or `terminal`. */
  readonly error?: unknown;
}
