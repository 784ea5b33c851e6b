import { hasQualifiedForm } from '@evenkeel/apimachinery/name-form';
import { EvenkeelError, type KindClass, type KubernetesObject } from '@evenkeel/core';
import type { ApplyConfiguration } from '@evenkeel/kinds';
import type { DependentsRunParts } from './dependents-run.ts';

export interface DependentsOptions {
  /**
   * The condition that says whether all dependents are ready; false for none. Its reasons are `AllReady`,
   * `DependentNotReady`, `DependentFailed`, `DependentDeleting` and, when all were deleted with their owner, `AllDeleted`; its
   * message names what is waited for. Default: `DependentsReady`, where the status of a custom kind has conditions; the status
   * of a built-in kind is its own controller's, so none there.
   */
  condition?: string | false;
  /**
   * How dependents are deleted. `Foreground` keeps each there until its own children are gone, as the Pods of a Deployment,
   * so that what it needs outlives those too; it takes the cluster's garbage collector. Default: `Background`.
   */
  deletion?: 'Background' | 'Foreground';
}

export interface DependentOptions<T extends KubernetesObject, R extends string> {
  /** Names of dependents, added before, that must be ready before this one is applied. */
  needs?: readonly R[];
  /**
   * False: it shall not be there, nor shall anything that needs it; what is there is deleted, what needs it first. Default
   * true.
   */
  when?: boolean;
  /**
   * Whether the live child is ready. It is not asked of one whose `status.observedGeneration` is behind its generation, nor
   * of one in deletion: those are not ready. Default: it is ready when it has been applied.
   */
  ready?: (child: T) => boolean;
  /** As of `context.apply`: whether an object that exists under its name and that nobody controls is taken over. */
  adopt?: boolean;
}

/** A child as it shall be; `apiVersion` and `kind` are those of its kind and may be left out. */
export type DesiredChild<T extends KubernetesObject> = Omit<ApplyConfiguration<T>, 'apiVersion' | 'kind'> &
  Partial<Pick<T, 'apiVersion' | 'kind'>>;

/** Where one dependent stands after a run. */
export interface DependentState {
  readonly name: string;
  /**
   * `ready` and `unready`: it was applied. `waiting`: it was not, because of what it needs; if it was there before, it is as
   * it was. `absent`: it shall not be there and is not. `deleting`: it shall not be there and still is.
   */
  readonly state: 'ready' | 'unready' | 'waiting' | 'absent' | 'deleting';
  /** What a waiting one needs and is not ready; what needs a deleting one and is still there. */
  readonly waitsFor: readonly string[];
}

export interface DependentsReport<C extends object> {
  /** Whether all that shall be there is ready, and nothing else is there. */
  readonly ready: boolean;
  /** The live children by name: as applied, or, of those that wait or are being deleted, as they are. */
  readonly children: Partial<C>;
  /** In the order in which they were added. */
  readonly states: readonly DependentState[];
  /** What is waited for, in a sentence; the condition's message. */
  readonly message: string;
}

/**
 * Children that need each other: a graph, said anew by each run. Each is applied by `context.apply` as soon as all that it
 * needs is ready, those that do not need each other at the same time.
 *
 * ```ts
 * const { children, ready } = await context
 *   .dependents()
 *   .add('settings', ConfigMap, () => settingsOf(shop))
 *   .add('database', StatefulSet, () => databaseOf(shop), { ready: ({ status }) => status?.readyReplicas === 1 })
 *   .add('cache', Deployment, () => cacheOf(shop), { when: shop.spec.cached })
 *   .add('web', Deployment, ({ database }) => webOf(shop, database), { needs: ['settings', 'database'] })
 *   .apply();
 * ```
 *
 * Promised: what `context.apply` promises, for each. None is applied in a run in which anything that it needs is not ready;
 * its function is given what it needs as it is live. One that becomes unready again holds back changes of what needs it, and
 * takes nothing away. What shall not be there (`when`), what is no longer added, and a child that a dependent had under
 * another name, are deleted, after all others have been applied, each in the version that was seen; of two that need each
 * other in turn, the one that is needed is deleted when the other is gone. Nothing is remembered between runs but a
 * label of each child, so a crash anywhere in between is made good by the next run. A condition says what is waited for.
 *
 * One that fails holds back only what needs it. All others go on, then the failure is thrown; several are one
 * AggregateError.
 *
 * Not promised: that a run comes when something turns ready without an event. `@Owns` of each kind brings the events of
 * children, status changes included, unless its predicates keep them away; for all else return `requeueAfter`. Nor is there
 * an order when the owner is deleted: the garbage collector takes its children as it likes. For that, call {@link delete}
 * of the same graph in a `@Finalizer` and return `awaitChange()` until its report is ready. Deleting takes the verb `delete`:
 * `@Rbac(TheKind, ['delete'])`.
 *
 * One graph for each run: {@link apply} and {@link delete} take whatever carries the label and is not in it as left over.
 * `context.prune` leaves its children alone.
 */
export interface Dependents<C extends Record<string, KubernetesObject> = Record<never, never>> {
  /**
   * Adds a dependent. Its name becomes the value of a label; it may change its object's name later, but not its own.
   * `desired` is called when all that it needs is ready.
   *
   * Throws `invalid-dependents` where `needs` names none that was added before, so that nothing can need itself in a circle,
   * where the name is taken or cannot be a label's value; `apply-not-owned` for a kind without `@Owns`.
   */
  add<N extends string, T extends KubernetesObject, R extends keyof C & string = never>(
    name: N,
    kind: KindClass<T>,
    desired: (needed: Pick<C, R>) => DesiredChild<T>,
    options?: DependentOptions<T, R>,
  ): Dependents<C & { [K in N]: T }>;
  /** Makes the dependents be as the graph says, as far as they can be now. */
  apply(): Promise<DependentsReport<C>>;
  /** Deletes them all, those that need others first, as far as that can be done now. */
  delete(): Promise<DependentsReport<C>>;
}

/** A dependent as the run meets it. */
export interface PlannedDependent {
  readonly name: string;
  readonly kind: KindClass;
  readonly desired: (needed: object) => unknown;
  readonly needs: readonly string[];
  readonly isWanted: boolean;
  readonly ready: ((child: never) => unknown) | undefined;
  readonly adopt: boolean | undefined;
}

/** The graph that a run says. */
export class DependentGraph {
  readonly #parts: DependentsRunParts;
  readonly #begin: () => void;
  readonly #dependents = new Map<string, PlannedDependent>();

  /** @param begin throws where the run has had its graph already. */
  constructor(parts: DependentsRunParts, begin: () => void) {
    this.#parts = parts;
    this.#begin = begin;
  }

  add(
    name: string,
    kind: KindClass,
    desired: (needed: object) => unknown,
    { needs = [], when = true, ready, adopt }: DependentOptions<never, string> = {},
  ): this {
    const refuse = (what: string): EvenkeelError =>
      new EvenkeelError('invalid-dependents', `${this.#parts.controller}: dependent "${String(name)}" ${what}`);
    if (typeof name !== 'string' || name.length > 63 || !hasQualifiedForm(name)) {
      throw refuse(
        'cannot be called so; use at most 63 letters, digits, "-", "_" and ".", a letter or digit first and last',
      );
    }
    if (this.#dependents.has(name)) throw refuse('was added twice; give each a name of its own');
    for (const needed of needs) {
      if (this.#dependents.has(needed)) continue;
      throw refuse(
        `needs "${needed}", which has not been added before it; add first what others need, and nothing that needs itself in a circle`,
      );
    }
    if (typeof desired !== 'function') throw refuse('has no function that gives the child');
    if (typeof when !== 'boolean')
      throw refuse('has a "when" that is neither true nor false; compare, as in x !== undefined');
    this.#parts.pruner.requireOwned(kind);
    const isWanted = when && needs.every((needed) => this.#dependents.get(needed)?.isWanted === true);
    this.#dependents.set(name, { name, kind, desired, needs, isWanted, ready, adopt });
    return this;
  }

  async apply(): Promise<DependentsReport<object>> {
    return this.#run([...this.#dependents.values()], false);
  }

  async delete(): Promise<DependentsReport<object>> {
    const unwanted = [...this.#dependents.values()].map((dependent) => ({ ...dependent, isWanted: false }));
    return this.#run(unwanted, true);
  }

  async #run(dependents: readonly PlannedDependent[], isEnding: boolean): Promise<DependentsReport<object>> {
    this.#begin();
    // Most reconciles have no graph.
    const { DependentsRun } = await import('./dependents-run.ts');
    return new DependentsRun(this.#parts, dependents, isEnding).run();
  }
}
