import type { ApiResource, ObjectKey } from '@evenkeel/core';
import type { Trigger } from './trigger.ts';

/** A request that changed something on the server, or asked for it. */
export interface ObjectWrite {
  readonly verb: 'create' | 'update' | 'patch' | 'apply' | 'delete';
  readonly resource: ApiResource;
  readonly key: ObjectKey;
  readonly subresource?: string;
  /** The version the server answered with; undefined for a delete. */
  readonly resourceVersion?: string;
  readonly uid?: string;
  /** What the server made of it, as far as the cache can tell. */
  readonly effect: 'created' | 'changed' | 'unchanged' | 'deleted';
  /** The paths it changed, at most 8; empty where the object was created or is not cached. */
  readonly changed: readonly string[];
}

/**
 * How a run ended. `gone`: the object is not there; `deleting`: it is being deleted, and nothing is
 * left to do for the controller, whose finalizers have run;
 * `conflict`: its status was written by somebody else meanwhile, so it runs again; `terminal`: it failed with a
 * TerminalError and is not retried; `invalid`: it does not pass the manager's validator, so its reconcile did not see it.
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

/** A field that the runs of a key have written again and again, because what they write comes back to them. */
export interface LoopFinding {
  /** The object that has the field: `Deployment default/web`. */
  readonly object: string;
  /** `spec.replicas`; `created` or `deleted` where it is the object itself, empty where it could not be told. */
  readonly path: string;
  /** How long the key waits now before events like these wake it again. */
  readonly delayMs: number;
  /** Whether the key was not slowed before. */
  readonly isNew: boolean;
}

/** What one run did, told when it has ended. */
export interface ReconcileRun {
  readonly controller: string;
  readonly kind: string;
  readonly key: ObjectKey;
  readonly triggers: readonly Trigger[];
  readonly writes: readonly ObjectWrite[];
  readonly durationMs: number;
  /** The `metadata.generation` of the object that the reconcile was handed; absent where it threw, or was not called. */
  readonly generation?: number;
  readonly outcome: ReconcileOutcome;
  /** When it runs again by itself; undefined where it waits for a change. */
  readonly againAfterMs?: number;
  /** Present where the key goes round in circles and was slowed after this run. */
  readonly loop?: LoopFinding;
  /** Present where the outcome is `failed` or `terminal`. */
  readonly error?: unknown;
}
