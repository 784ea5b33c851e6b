import type { ObjectKey } from '@evenkeel/core';
import type { Trigger } from '../reconcile/trigger.ts';
import type { Gate } from './gate.ts';

/**
 * Enqueues a key, after `afterMs` if given. `isBackground` is true if the object has not changed, for example for an event of
 * the initial list. Such keys go behind all others.
 */
export type Enqueue = (key: ObjectKey, trigger: Trigger, isBackground: boolean, afterMs?: number) => void;

/** The state of a source, for readiness and for users. */
export interface SourceState {
  /** The watched resource: `deployments.apps`. */
  readonly name: string;
  /** Whether all objects that existed at the start have been enqueued. */
  readonly synced: boolean;
  /** Why the source does not work; undefined while it does. */
  readonly problem: string | undefined;
  /**
   * Whether the source is unreliable: its kind is not served, is not permitted in any namespace, or lacks fields; the credentials
   * are rejected; or nothing was received for longer than a watch and its restart take.
   */
  readonly degraded: boolean;
}

/** A source of a controller's keys. */
export interface Source {
  /** Starts to enqueue keys, and to close `gate` while workers must not take them. Called once. */
  start(enqueue: Enqueue, gate: Gate): void;
  /** Resolves when all objects that existed at the start have been enqueued. Rejects with the signal's reason. */
  waitForSync(signal: AbortSignal): Promise<void>;
  /** Stops the source. It enqueues nothing after that. */
  stop(): void;
  readonly state: SourceState;
}
