import type { Client } from '@evenkeel/client';
import type { KindClass, KubernetesObject, LabelSelectorSpec, Logger, ObjectKey } from '@evenkeel/core';
import type { ApplyConfiguration } from '@evenkeel/kinds';
import type { ConditionSet } from './condition-set.ts';
import type { Dependents, DependentsOptions } from './dependents.ts';
import type { PruneOptions } from './prune-children.ts';
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
   *
   * For an object with a namespace it stays there: it reads and writes objects of that namespace, reads those that have none,
   * and throws `outside-of-namespace` for all else, unless the controller says `acrossNamespaces`. An injected Client does
   * not.
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
   * Not promised: that a child is gone when it is no longer applied; {@link prune} sees to that.
   *
   * Throws `apply-not-owned` for a kind without `@Owns`, and `owner-reference-refused` where the object cannot own the
   * child; a StatusError where the server refuses it.
   */
  abstract apply<T extends KubernetesObject>(child: T): Promise<T>;
  abstract apply<T extends KubernetesObject>(child: ApplyConfiguration<T>): Promise<T>;

  /**
   * Makes the objects of a kind that match a selector children of the object, as a ReplicaSet does with pods, in its
   * namespace. Resolves to those that match and are its own now.
   *
   * Promised: an object without a controller is adopted: it gets a controller reference and the label by which children are
   * cached. One of the kind that is the object's, matches no longer and was not applied by this run is released: both are
   * taken off. One that has another controller is left alone, and so is what is in deletion. Nothing is adopted for an
   * object that the server says is gone, being deleted, or another one by now. {@link prune} leaves what was claimed.
   *
   * Not promised: that a later match wakes the object; an object without the label is not watched. Add `@Watches` for that.
   * It lists on the server each time, so it is not for thousands of objects.
   *
   * Throws `apply-not-owned` for a kind without `@Owns`, `invalid-option` for a selector that selects everything,
   * `owner-reference-refused` where the object cannot own the other one; a StatusError where the server refuses, a conflict
   * among them where somebody wrote the object meanwhile.
   */
  abstract claim<T extends KubernetesObject>(kind: KindClass<T>, selector: LabelSelectorSpec): Promise<T[]>;

  /**
   * Deletes the children of the object that this run has neither applied nor claimed, of the kinds given or of all that the controller owns.
   * Call it last, when every child that shall stay has been given to {@link apply}. Resolves to what was deleted, or, with
   * `dryRun`, to what would be.
   *
   * Promised: only what is in the cache with the controller's label and a controller reference to this very object (by its
   * uid) is deleted, and only in the version in which it was seen to be so; where somebody wrote it meanwhile, the live
   * object is asked again. What is in deletion already is left alone.
   *
   * Not promised: that a child is gone when this resolves; finalizers may hold it, and its own children go after it, in the
   * background. A child that the cache has not seen yet is found by a later run.
   *
   * Throws `prune-refused` where an `apply` of this run has failed, also where that was caught, because then it is not known
   * what shall stay; where the kind's cache has not synced; and from an `apply` of the kind that comes after it. Throws
   * `apply-not-owned` for a kind without `@Owns`, and a StatusError where the server refuses a deletion.
   */
  abstract prune(kinds?: KindClass | readonly KindClass[], options?: PruneOptions): Promise<KubernetesObject[]>;

  /**
   * Begins a graph of children that need each other, with what makes each of them ready; see {@link Dependents} for what is
   * promised of it.
   */
  abstract dependents(options?: DependentsOptions): Dependents;
}
