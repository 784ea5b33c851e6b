import { type ApiResource, EvenkeelError, groupResourceOf, messageOf, type ObjectKey } from '@evenkeel/core';

const refusedReported = 5;

/** The codes of applies that were not sent to protect an existing object. */
const refusals: ReadonlySet<string> = new Set(['foreign-child', 'child-not-cached']);

/** The children that one run has applied, and whether an apply failed. Prune uses it to decide which children to delete. */
export class AppliedInRun {
  readonly #applied = new Set<string>();
  readonly #pruned = new Set<string>();
  /** The `foreign-child` and `child-not-cached` errors of applies. Limited, because each becomes an Event. */
  readonly refused: EvenkeelError[] = [];
  #failure: { readonly error: unknown } | undefined;

  /** Called before an apply. Throws if the kind was already pruned. */
  add(resource: ApiResource, key: ObjectKey): void {
    const kind = groupResourceOf(resource);
    if (this.#pruned.has(kind)) {
      throw new EvenkeelError(
        'prune-refused',
        `apply() of ${resource.kind} ${key}: prune() of its kind was called before; apply all children first, then prune`,
      );
    }
    this.#applied.add(`${kind} ${key}`);
  }

  /** Keeps a child that was not applied. */
  keep(resource: ApiResource, key: ObjectKey): void {
    this.#applied.add(`${groupResourceOf(resource)} ${key}`);
  }

  /** Called after an apply failed. */
  failed(error: unknown): void {
    this.#failure ??= { error };
    const isRefused = error instanceof EvenkeelError && refusals.has(error.code);
    if (isRefused && this.refused.length < refusedReported) this.refused.push(error);
  }

  has(resource: ApiResource, key: ObjectKey): boolean {
    return this.#applied.has(`${groupResourceOf(resource)} ${key}`);
  }

  /** Called before a prune. Throws if an apply failed. */
  beginPrune(resource: ApiResource, isDryRun: boolean): void {
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      throw new EvenkeelError(
        'prune-refused',
        `prune() of ${resource.kind}: cannot determine which children to keep, because an apply() of the same run failed (${messageOf(error)}); let that error end the run`,
        { cause: error },
      );
    }
    if (!isDryRun) this.#pruned.add(groupResourceOf(resource));
  }
}
