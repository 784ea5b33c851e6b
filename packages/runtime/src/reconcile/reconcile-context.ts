import type { Client } from '@evenkeel/client';
import type { KindClass, KubernetesObject, LabelSelectorSpec, Logger, ObjectKey } from '@evenkeel/core';
import type { ApplyConfiguration, BuiltInKind } from '@evenkeel/kinds';
import type { ApplyChildOptions } from './apply-child.ts';
import type { ConditionSet } from './condition-set.ts';
import type { Dependents, DependentsOptions } from './dependents.ts';
import type { PruneOptions } from './prune-children.ts';
import type { Trigger } from './trigger.ts';

/**
 * Records Events about the object being reconciled. `kubectl describe` shows them. The controller is their reporter.
 *
 * Promised: the methods never wait and never throw. Equal Events become a series.
 *
 * Not promised: that an Event arrives. It is logged and dropped if the API server rejects it, or if 1000 Events are waiting.
 * Use a condition for information that others rely on.
 */
export interface ReconcileEvents {
  /** `reason` is one CamelCase word of at most 128 characters. `note` is a sentence, truncated to 1 kB. */
  normal(reason: string, note: string): void;
  warning(reason: string, note: string): void;
}

/** The apiVersion and kind of a child, which the compiler infers as literals where it can see them. */
interface IdentifiedChild<A extends string, N extends string> {
  apiVersion: A;
  kind: N;
}

/** Excludes the base class, which the compiler takes if it cannot infer the kind. */
type ConfigurationOf<T extends KubernetesObject> = keyof T extends keyof KubernetesObject
  ? never
  : ApplyConfiguration<T>;

/** Excludes the built-in kinds, so that the compiler checks their fields against the kind. */
type NotBuiltIn<A extends string, N extends string> = [BuiltInKind<A, N>] extends [never] ? unknown : never;

/** The desired state of a child whose kind and name are already given. */
export type DerivedChild<T extends KubernetesObject> = Partial<Omit<ApplyConfiguration<T>, 'metadata'>> & {
  metadata?: Partial<ApplyConfiguration<T>['metadata']>;
};

/**
 * The functions and data of one run (a call of the reconcile method). Do not keep it after the run.
 *
 * The method receives the reconciled object as its first parameter:
 * - Its metadata and spec are frozen and shared with the cache. They may be stale, but contain the previous run's writes
 *   unless the cache was more than 5 s late.
 * - Its status is a copy that the run may change. It is always an object.
 *
 * Promised for the status:
 * - It is written once, after the method has returned or thrown, also after a timeout. It is written only if it changed.
 * - The request is a merge patch of the changed fields, so other fields keep the values of other writers.
 * - The precondition is the resourceVersion that was read. On a conflict, nothing is written, and the object is reconciled
 *   again, with backoff and without an error.
 *
 * Not promised:
 * - If the method throws and the status write fails too, the status is lost, and the run fails with the method's error.
 * - A changed list in the status is replaced as a whole.
 *
 * It is an abstract class so that decorated methods can use it as a parameter type, and tests can replace it.
 */
export abstract class ReconcileContext {
  /** The controller's name. */
  abstract readonly controller: string;
  /** The namespace and name of the object being reconciled. */
  abstract readonly key: ObjectKey;
  /**
   * Why this run started: object, verb and changed paths, oldest first. Events of the previous run's own writes are omitted if
   * there are other triggers.
   *
   * Not promised: that the list is complete. It has at most 16 triggers, one event may stand for several changes, and changes
   * made while the process was down appear as `added`. Use it for logs, not for decisions.
   */
  abstract readonly triggers: readonly Trigger[];
  /** The conditions in the object's status. They are written with the status. */
  abstract readonly conditions: ConditionSet;
  abstract readonly events: ReconcileEvents;
  /**
   * A client that sends requests to the API server and never reads the cache.
   *
   * Writes through it, or through an injected Client, belong to the run: listers return the new versions immediately, and the
   * object's next run waits until the caches contain them (at most 5 s).
   *
   * If the object has a namespace, the client is restricted to it. It reads and writes objects of that namespace, reads
   * cluster-scoped objects and creates access reviews. Everything else throws `outside-of-namespace`, unless the controller
   * has the option `acrossNamespaces`. The same restriction applies to injected Clients and Listers in everything that the run
   * calls or starts: `get` and `list` of a Lister throw, `byIndex` omits objects of other namespaces.
   *
   * Promised: nothing is written while another process is the leader. Requests that the API server rejects because it is
   * overloaded are retried.
   *
   * Not promised:
   * - A response may be newer than the object of this run.
   * - Listers may return objects that `deleteCollection` deleted in the same run.
   * - The end or timeout of the run aborts no request. Pass {@link signal} to a request to abort it.
   */
  abstract readonly client: Client;
  /** Adds the controller and the object to each line. */
  abstract readonly logger: Logger;
  /**
   * Aborted when the run exceeds its timeout, or when the manager's grace period is over. The methods of this class stop then.
   *
   * Not promised: that the run ends. It occupies its key and its worker until its promise settles. Pass the signal to every
   * call that waits.
   */
  abstract readonly signal: AbortSignal;

  /**
   * Makes a child match the given object, by server-side apply. It sets the given fields and removes fields that an earlier
   * apply set and this one omits. It does not change other fields.
   *
   * Promised:
   * - The child gets a controller owner reference to the object, a label that the cache selects, and the object's namespace if
   *   it has none.
   * - The controller's name is the field manager. It takes over the given fields from other field managers (force).
   * - Only children of the object are written: the uid in their controller owner reference must be the object's uid. If
   *   another object has the child's name, `apply` changes nothing, even if that object was created a moment ago. The
   *   reconciled object gets a Warning Event `ForeignChild` and, if its status has conditions, the condition
   *   `ChildrenOwned=False` until a run succeeds.
   * - With `adopt`, `apply` takes over an object that has no controller owner reference. {@link claim} adopts objects that
   *   match a selector.
   * - No request is sent if nothing would change.
   * - A child that exists but that the cache lacks is not written, because the run may have computed its fields as if it did
   *   not exist. `apply` throws `child-not-cached`, and the run is retried when the cache contains the child. If someone
   *   removed the label that the cache selects, `apply` restores the label first. The object gets a Warning Event
   *   `ChildNotCached`.
   *
   * Resolves to the live child: the response of the API server, or the cached object (frozen) if no request was sent.
   *
   * Not promised:
   * - Children that are no longer applied are not deleted. Call {@link prune}.
   * - If the API server stores a value in another form (`1000m` as `1`, `1024Mi` as `1Gi`, `stringData` as `data`), the first
   *   run of a process sends one apply for this child, which does not change its resourceVersion.
   *
   * Throws `apply-not-owned` for a kind without `@Owns`, `owner-reference-refused` if the object cannot own the child,
   * `foreign-child` if another object has the child's name, `child-not-cached` if the cache lacks the child, and a StatusError
   * if the API server rejects the request.
   */
  abstract apply<T extends KubernetesObject, A extends string, N extends string>(
    child: T & IdentifiedChild<A, N> & NotBuiltIn<A, N>,
    options?: ApplyChildOptions,
  ): Promise<T>;
  abstract apply<T extends KubernetesObject>(child: ConfigurationOf<T>, options?: ApplyChildOptions): Promise<T>;
  // The last one, because the compiler shows its error if none fits.
  abstract apply<A extends string, N extends string>(
    child: IdentifiedChild<A, N> & Omit<ApplyConfiguration<BuiltInKind<A, N>>, 'apiVersion' | 'kind'>,
    options?: ApplyChildOptions,
  ): Promise<BuiltInKind<A, N>>;

  /**
   * Like {@link apply}, with a function that returns the desired fields for the stored child. Use it for values that are
   * generated once and then kept, such as a password:
   *
   * ```ts
   * const secret = await context.applyFrom(Secret, `${name}-login`, (stored) => ({
   *   data: { password: stored?.data?.['password'] ?? newPassword() },
   * }));
   * ```
   *
   * `stored` is undefined only if the API server confirms that the child does not exist. Otherwise it is the child, or with
   * `adopt` the object to take over. It is shared with the cache: do not change it. `name` is a name in the object's namespace.
   * If the object is cluster-scoped and the kind is not, write `namespace/name`.
   *
   * Promised:
   * - The promises of {@link apply} hold, except that a child that the cache lacks is read from the API server and passed to the
   *   function, also if it lost its label.
   * - The child is written only in the version that the function received. If it changed or was created in the meantime, the
   *   function is called again with the new version. So two processes never overwrite each other's generated value.
   *
   * Not promised: that the function is called once in a run. It must have no side effects.
   *
   * Throws the errors of {@link apply}, `invalid-child` if the function returns another kind or name, and a conflict if the
   * child changes during each of four tries.
   */
  abstract applyFrom<T extends KubernetesObject>(
    kind: KindClass<T>,
    name: string,
    desired: (stored: T | undefined) => DerivedChild<T> | Promise<DerivedChild<T>>,
    options?: ApplyChildOptions,
  ): Promise<T>;

  /**
   * Adopts the objects of a kind that match a selector in the object's namespace, as a ReplicaSet does with Pods. Resolves to
   * the matching objects that are now children of the object.
   *
   * Promised:
   * - An object without a controller owner reference is adopted: it gets the reference and the label that the cache selects.
   * - A child that no longer matches, and that this run has not applied, is released: the reference and the label are removed.
   * - Objects that have another controller, and objects that are being deleted, are not changed.
   * - Nothing is adopted if the reconciled object is gone, is being deleted or was created again. The API server is asked for
   *   that.
   * - {@link prune} keeps claimed objects.
   *
   * Not promised: that a new match triggers a run, because the cache contains only objects with the label. Add `@Watches` for
   * that. Each call sends a list request, so it is slow for thousands of objects.
   *
   * Throws `apply-not-owned` for a kind without `@Owns`, `invalid-option` for a selector that matches everything,
   * `owner-reference-refused` if the object cannot own a match, and a StatusError if the API server rejects a request, for
   * example with a conflict because another client changed the object.
   */
  abstract claim<T extends KubernetesObject>(kind: KindClass<T>, selector: LabelSelectorSpec): Promise<T[]>;

  /**
   * Deletes the children of the object that this run has neither applied nor claimed. Default: the children of all kinds that
   * the controller owns. Call it once, after the last {@link apply}. Resolves to the deleted children, or with `dryRun` to the
   * children that it would delete. The controller needs `@Rbac(Kind, ['delete'])` for each kind.
   *
   * Promised: it deletes only cached objects with the controller's label and a controller owner reference to this object (its
   * uid). Each deletion has the resourceVersion as a precondition. On a conflict, it reads the live object and checks it
   * again. Children that are already being deleted are ignored.
   *
   * Not promised: that a child is gone when the promise resolves. Its finalizers can delay that, and its own children are
   * deleted later, in the background. A child that the cache does not contain yet is deleted by a later run.
   *
   * Throws `prune-refused` if an `apply` of this run failed, even if the error was caught, because `prune` cannot determine
   * which children to keep. Also if the kind's cache has not synced. An `apply` of the kind after `prune` throws the same
   * error. Throws `apply-not-owned` for a kind without `@Owns`, and a StatusError if the API server rejects a deletion.
   */
  abstract prune(kinds?: KindClass | readonly KindClass[], options?: PruneOptions): Promise<KubernetesObject[]>;

  /** Returns an empty graph of children that depend on each other. See {@link Dependents} for the contract. */
  abstract dependents(options?: DependentsOptions): Dependents;
}
