import type { Client } from '@evenkeel/client';
import type { KindClass, KubernetesObject, LabelSelectorSpec, Logger, ObjectKey } from '@evenkeel/core';
import type { ApplyConfiguration } from '@evenkeel/kinds';
import type { ApplyChildOptions } from './apply-child.ts';
import type { ConditionSet } from './condition-set.ts';
import type { Dependents, DependentsOptions } from './dependents.ts';
import type { PruneOptions } from './prune-children.ts';
import type { Trigger } from './trigger.ts';

/**
 * Events about the object being reconciled, as `kubectl describe` shows them, with the controller as their reporter.
 *
 * Promised: telling never waits and never throws; the same Event again becomes a series of the first.
 *
 * Not promised: that an Event arrives. One that the server refuses, or that comes while 1000 wait, is logged and dropped. Say
 * in a condition what somebody has to rely on.
 */
export interface ReconcileEvents {
  /** `reason` is one CamelCase word of at most 128 characters, `note` a sentence, cut at 1 kB. */
  normal(reason: string, note: string): void;
  warning(reason: string, note: string): void;
}

/**
 * What one run of a reconcile may use. It belongs to the run: do not keep it.
 *
 * Of the object that the run is given beside it: metadata and spec are frozen and shared with the cache, as recent as the cache
 * is, and never older than what the run before wrote. Its status is the run's own to change, and always an object.
 *
 * Promised of the status: it is written once, when the reconcile has returned or thrown, and only where it differs from what was
 * read; as a merge patch of the difference, so that fields which the run has not touched keep what others write; for exactly the
 * version of the object that was read. Where somebody has written the object meanwhile nothing is written, and the key runs
 * again, with backoff and without an error. It is written after a timeout too.
 *
 * Not promised: that it is written where the reconcile threw and the write fails as well; the run fails with what was thrown. A
 * list in the status is written whole.
 *
 * Abstract, so that it can stand in a decorated signature and be replaced in a test.
 */
export abstract class ReconcileContext {
  /** The controller's name. */
  abstract readonly controller: string;
  /** Names the object being reconciled. */
  abstract readonly key: ObjectKey;
  /**
   * Why this run happens: object, verb and changed paths, oldest first. For logs and for people. What the run before wrote is
   * left out where something else has come with it.
   *
   * Not promised: that all causes are there. At most 16 are kept apart, an event may stand for several changes, and what happened
   * while the process was down is told as `added`. A reconcile that acts on it, instead of on what there is, misses those.
   */
  abstract readonly triggers: readonly Trigger[];
  /** Conditions in the object's status, and written with it. */
  abstract readonly conditions: ConditionSet;
  abstract readonly events: ReconcileEvents;
  /**
   * Live requests. What a run writes through it, or through an injected Client, counts as the run's own: `get` of a lister
   * gives the server's answer to it at once, and the key runs again only when the caches have passed it.
   *
   * For an object with a namespace it stays there: it reads and writes objects of that namespace, reads those that have none,
   * and throws `outside-of-namespace` for all else, unless the controller says `acrossNamespaces`. So does an injected Client
   * in what this run does and begins; an injected Lister is held to the namespace too: `get` and `list` throw, `byIndex`
   * leaves out what is elsewhere.
   *
   * Promised: while another process leads, nothing is written; a request that the server was too busy for is sent again.
   *
   * Not promised: that a read is as old as the cache: it may be newer than the object of this run; that a lister misses at
   * once, within the run, what `deleteCollection` has deleted. Requests are not aborted with
   * the run, unless they are given its {@link signal}.
   */
  abstract readonly client: Client;
  /** Adds controller and object to every line. */
  abstract readonly logger: Logger;
  /**
   * Aborted when the run has overrun its timeout, or the manager's grace period is over. The helpers stop at it.
   *
   * Not promised: that the run ends. Key and worker stay taken until its promise settles; pass the signal to whatever waits.
   */
  abstract readonly signal: AbortSignal;

  /**
   * Makes a child be as given, by server-side apply: fields given are set, fields given by an earlier apply and now left
   * out go, all others are left to whom they belong.
   *
   * Promised: the child gets a controller reference to the object and a label by which it is cached, and the object's
   * namespace where it gives none. The controller's name is the field manager, and takes over fields that others own.
   * Only a child of the object is written: one whose controller reference has the object's uid. If another object has the
   * child's name, nothing is sent that the server could accept, also if it was created a moment ago; the object gets a Warning
   * Event `ForeignChild` and, if its status has conditions, the condition `ChildrenOwned=False`, until a run succeeds.
   * `adopt` takes over an object that nobody controls. {@link claim} does so for objects that a selector matches.
   * Nothing is sent where nothing would change. Resolves to the live child: the server's answer, or the cached object
   * (frozen) where nothing was sent.
   *
   * Not promised: that a child is gone when it is no longer applied; {@link prune} sees to that. That nothing is sent by the
   * first run of a process for a child whose values the server stores in another form (`1000m` as `1`, `1024Mi` as `1Gi`,
   * `stringData` as `data`): one apply is, which moves no version.
   *
   * Throws `apply-not-owned` for a kind without `@Owns`, `owner-reference-refused` where the object cannot own the child,
   * and `foreign-child` where another object has the child's name; a StatusError where the server refuses it.
   */
  abstract apply<T extends KubernetesObject>(child: T, options?: ApplyChildOptions): Promise<T>;
  abstract apply<T extends KubernetesObject>(child: ApplyConfiguration<T>, options?: ApplyChildOptions): Promise<T>;

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
   * `dryRun`, to what would be. Its controller needs `@Rbac(Kind, ['delete'])` for each of those kinds.
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
