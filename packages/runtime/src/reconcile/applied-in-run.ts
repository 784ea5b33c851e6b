import { type ApiResource, EvenkeelError, groupResourceOf, type ObjectKey } from '@evenkeel/core';

const foreignReported = 5;

/** What one run has applied so far, and whether that is all it meant to: by it, what is left over is told. */
export class AppliedInRun {
  readonly #applied = new Set<string>();
  /** Kinds that have been pruned. */
  readonly #pruned = new Set<string>();
  /** The errors of applies that met an object which is not a child; at most as many as people read. */
  readonly foreign: EvenkeelError[] = [];
  #failure: { readonly error: unknown } | undefined;

  /** To be called when an apply begins. Throws where the child has been pruned already. */
  add(resource: ApiResource, key: ObjectKey): void {
    const kind = groupResourceOf(resource);
    if (this.#pruned.has(kind)) {
      throw new EvenkeelError(
        'prune-refused',
        `apply() was given ${resource.kind} ${key} after prune() of its kind, which took it for left over; apply all children first, then prune`,
      );
    }
    this.#applied.add(`${kind} ${key}`);
  }

  /** A child that shall stay though nobody has applied it. */
  keep(resource: ApiResource, key: ObjectKey): void {
    this.#applied.add(`${groupResourceOf(resource)} ${key}`);
  }

  /** To be called when an apply has failed. */
  failed(error: unknown): void {
    this.#failure ??= { error };
    const isForeign = error instanceof EvenkeelError && error.code === 'foreign-child';
    if (isForeign && this.foreign.length < foreignReported) this.foreign.push(error);
  }

  has(resource: ApiResource, key: ObjectKey): boolean {
    return this.#applied.has(`${groupResourceOf(resource)} ${key}`);
  }

  /** To be called when a prune begins. Throws where it is not known what shall stay. */
  beginPrune(resource: ApiResource, isDryRun: boolean): void {
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      throw new EvenkeelError(
        'prune-refused',
        `prune() of ${resource.kind} was called though an apply() of the same run had failed (${error instanceof Error ? error.message : String(error)}), so what is left over cannot be told; let that error end the run`,
        { cause: error },
      );
    }
    if (!isDryRun) this.#pruned.add(groupResourceOf(resource));
  }
}
