import type { ObjectKey } from '@evenkeel/core';
import type { Trigger } from '../reconcile/trigger.ts';
import type { Gate } from './gate.ts';

/**
 * Takes a key that something woke, not before `afterMs`. `isBackground` says that nothing has happened to it, as of an event
 * that only tells what was already there: it goes behind all others.
 */
export type Enqueue = (key: ObjectKey, trigger: Trigger, isBackground: boolean, afterMs?: number) => void;

/** What is known of a source, for readiness and for people. */
export interface SourceState {
  /** What it watches: `deployments.apps`. */
  readonly name: string;
  /** Whether everything that was there at the start has been handed to the queue. */
  readonly synced: boolean;
  /** Why it does not get on; undefined while it does. */
  readonly problem: string | undefined;
  /**
   * Whether what it hands over cannot be relied on: its kind is not served, in no namespace granted, or not as the operator
   * needs it, its credentials are refused, or nothing was heard of it for longer than a watch and its restart take.
   */
  readonly degraded: boolean;
}

/** Where a controller's keys come from. */
export interface Source {
  /** Begins to hand keys to `enqueue`, and to close `gate` while nothing may be done with them; called once. */
  start(enqueue: Enqueue, gate: Gate): void;
  /** Resolves when what was there at the start has been handed over; rejects with the signal's reason. */
  waitForSync(signal: AbortSignal): Promise<void>;
  /** Hands over nothing more. */
  stop(): void;
  readonly state: SourceState;
}
