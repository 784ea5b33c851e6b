import type { Client } from '@evenkeel/client';
import type { KubernetesObject, Logger, ObjectKey } from '@evenkeel/core';
import type { ApplyConfiguration } from '@evenkeel/kinds';
import type { ConditionSet } from './condition-set.ts';
import type { Trigger } from './trigger.ts';

/** Events about the object being reconciled; see `EventRecorder` for what is promised of them. */
export interface ReconcileEvents {
  /** `reason` is one CamelCase word, `note` a sentence. */
  normal(reason: string, note: string): void;
  warning(reason: string, note: string): void;
}

/**
 * What one run of a reconcile may use. It belongs to the run: do not keep it.
 *
 * Abstract, so that it can stand in a decorated signature and be replaced in a test.
 */
export abstract class ReconcileContext {
  /** The controller's name. */
  abstract readonly controller: string;
  /** Names the object being reconciled. */
  abstract readonly key: ObjectKey;
  /**
   * Why this run happens, oldest first, at most 16. For logs and for people: a reconcile that acts on it, instead of on
   * what is there, misses what happened while it was down.
   */
  abstract readonly triggers: readonly Trigger[];
  /** Conditions in the object's status. */
  abstract readonly conditions: ConditionSet;
  abstract readonly events: ReconcileEvents;
  /**
   * Live requests. What a run writes through it, or through an injected Client, counts as the run's own: `get` of a lister
   * gives the server's answer to it at once, and the key runs again only when the caches have passed it.
   */
  abstract readonly client: Client;
  /** Adds controller and object to every line. */
  abstract readonly logger: Logger;
  /** Aborted when the run has overrun its timeout or the manager's grace period is over. */
  abstract readonly signal: AbortSignal;

  /**
   * Makes a child be as given, by server-side apply: fields given are set, fields given by an earlier apply and now left
   * out go, all others are left to whom they belong.
   *
   * Promised: the child gets a controller reference to the object and a label by which it is cached, and the object's
   * namespace where it gives none. The controller's name is the field manager, and takes over fields that others own.
   * Nothing is sent where nothing would change. Resolves to the live child: the server's answer, or the cached object
   * (frozen) where nothing was sent.
   *
   * Not promised: that a child is gone when it is no longer applied. Deleting is the reconcile's own.
   *
   * Throws `apply-not-owned` for a kind without `@Owns`, and `owner-reference-refused` where the object cannot own the
   * child; a StatusError where the server refuses it.
   */
  abstract apply<T extends KubernetesObject>(child: T): Promise<T>;
  abstract apply<T extends KubernetesObject>(child: ApplyConfiguration<T>): Promise<T>;
}
