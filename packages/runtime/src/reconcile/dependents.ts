import { hasQualifiedForm } from '@evenkeel/apimachinery/name-form';
import { EvenkeelError, type KindClass, type KubernetesObject } from '@evenkeel/core';
import type { ApplyConfiguration } from '@evenkeel/kinds';
import type { DependentsReport } from './dependents-report.ts';
import type { DependentsRunParts } from './dependents-run.ts';
import type { PlannedDependent } from './planned-dependent.ts';

/** The options of a graph of dependents. */
export interface DependentsOptions {
  /**
   * The type of the condition that shows whether all dependents are ready, or false for no condition. Its reasons are
   * `AllReady`, `DependentNotReady`, `DependentFailed`, `DependentDeleting` and, after {@link Dependents.delete} has deleted
   * all, `AllDeleted`. Its message shows what the graph waits for. Default: `DependentsReady` if the kind is a custom kind
   * whose status has conditions, otherwise no condition.
   */
  condition?: string | false;
  /**
   * The propagation policy of deletions. With `Foreground`, a dependent exists until its own children are gone, such as the Pods
   * of a Deployment, so the dependents that it needs are deleted after those. This requires the cluster's garbage collector.
   * Default: `Background`.
   */
  deletion?: 'Background' | 'Foreground';
}

/** The options of one dependent of a graph. */
export interface DependentOptions<T extends KubernetesObject, R extends string> {
  /** The names of the dependents that must be ready before this one is applied. Add them first. */
  needs?: readonly R[];
  /** If false, this dependent and all dependents that need it are deleted, those that need it first. Default: true. */
  when?: boolean;
  /**
   * Returns whether the live child is ready, synchronously. It is not called for a child whose `status.observedGeneration` is
   * lower than its generation or that is being deleted: those are not ready. Default: a child is ready as soon as it has been
   * applied.
   */
  ready?: (child: T) => boolean;
  /** Whether to take over an existing object that has no controller owner reference, as in `context.apply`. */
  adopt?: boolean;
}

/** The desired state of a child. `apiVersion` and `kind` are optional; their defaults are those of the kind. */
export type DesiredChild<T extends KubernetesObject> = Omit<ApplyConfiguration<T>, 'apiVersion' | 'kind'> &
  Partial<Pick<T, 'apiVersion' | 'kind'>>;

/**
 * A graph of children that depend on each other. Each run declares it again. A dependent is applied with `context.apply` as
 * soon as all dependents that it needs are ready. Dependents that do not need each other are applied in parallel.
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
 * Promised:
 * - The promises of `context.apply` hold for each dependent.
 * - A dependent is not applied in a run in which a dependent that it needs is not ready. Its function receives the live
 *   objects of the dependents that it needs.
 * - If a dependent becomes unready again, the dependents that need it are not updated. Nothing is deleted.
 * - These are deleted after all others have been applied: dependents with `when: false`, dependents that are no longer added,
 *   and the old object of a dependent whose object got another name. Each deletion has the resourceVersion as a precondition.
 *   A dependent with `when: false` is deleted after all dependents that need it are gone.
 * - The only state between runs is a label of each child, so the next run continues after a crash.
 * - A condition shows what the graph waits for.
 * - If a dependent fails, only the dependents that need it are not applied. When all others have been processed, the error is
 *   thrown; several errors are thrown as one AggregateError.
 *
 * Not promised:
 * - No run is triggered if a dependent becomes ready without an event. `@Owns` of each kind triggers runs for changes of
 *   children and of their status, unless its predicates reject the events. For other cases, return `requeueAfter`.
 * - When the owner is deleted, the garbage collector deletes its children in any order. To order this, call {@link delete} of
 *   the same graph in a `@Finalizer`, and return `awaitChange()` until its report is ready.
 *
 * A deletion needs a permission: `@Rbac(TheKind, ['delete'])`.
 *
 * A run can have only one graph, because {@link apply} and {@link delete} delete all labelled children that are not in it.
 * `context.prune` keeps the children of the graph.
 */
export interface Dependents<C extends Record<string, KubernetesObject> = Record<never, never>> {
  /**
   * Adds a dependent. Its name is stored in a label and identifies it, so do not change it in a later release. The name of its
   * object may change. `desired` is called when all dependents that it needs are ready, and must return synchronously.
   *
   * Throws `invalid-dependents` if `needs` has a name that was not added before (this excludes cycles), or if the name is
   * already used or is not a valid label value. Throws `apply-not-owned` for a kind without `@Owns`.
   */
  add<N extends string, T extends KubernetesObject, R extends keyof C & string = never>(
    name: N,
    kind: KindClass<T>,
    desired: (needed: Pick<C, R>) => DesiredChild<T>,
    options?: DependentOptions<T, R>,
  ): Dependents<C & { [K in N]: T }>;
  /** Applies and deletes dependents so that they match the graph, as far as possible now. */
  apply(): Promise<DependentsReport<C>>;
  /** Deletes all dependents, those that need others first, as far as possible now. */
  delete(): Promise<DependentsReport<C>>;
}

/** The graph that a run declares. */
export class DependentGraph {
  readonly #parts: DependentsRunParts;
  readonly #begin: () => void;
  readonly #dependents = new Map<string, PlannedDependent>();

  /** @param begin throws if the run already had a graph. */
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
    const invalid = (what: string): EvenkeelError =>
      new EvenkeelError('invalid-dependents', `${this.#parts.controller}: dependent "${String(name)}": ${what}`);
    if (typeof name !== 'string' || name.length > 63 || !hasQualifiedForm(name)) {
      throw invalid(
        'invalid name; use at most 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit',
      );
    }
    if (this.#dependents.has(name)) throw invalid('the name was added twice; use a different name for each dependent');
    for (const needed of needs) {
      if (this.#dependents.has(needed)) continue;
      throw invalid(
        `needs "${needed}", which was not added before it; add the dependents that it needs first, and remove cycles`,
      );
    }
    if (typeof desired !== 'function')
      throw invalid('the function that returns the child is missing; pass it as the third parameter');
    if (typeof when !== 'boolean')
      throw invalid('"when" must be true or false; write a comparison, such as x !== undefined');
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
