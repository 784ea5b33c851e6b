import type { ObjectKey } from '@evenkeel/core';
import type { ReconcileRun } from '@evenkeel/runtime';

type Outcome = ReconcileRun['outcome'];

/** An object whose last run ended so is not where it shall be, whatever its conditions say. */
const unfinished: ReadonlySet<Outcome> = new Set<Outcome>(['failed', 'terminal', 'invalid', 'conflict']);

/** Which objects' last run did not come to its end, of any controller. */
export class FailedRuns {
  /** By object, then by controller. */
  readonly #failed = new Map<string, Map<string, ReconcileRun>>();
  #change = Promise.withResolvers<void>();

  note(run: ReconcileRun): void {
    const id = idOf(run.kind, run.key);
    const byController = this.#failed.get(id) ?? new Map<string, ReconcileRun>();
    if (unfinished.has(run.outcome)) byController.set(run.controller, run);
    else byController.delete(run.controller);
    if (byController.size === 0) this.#failed.delete(id);
    else this.#failed.set(id, byController);
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  of(kind: string, key: ObjectKey): ReconcileRun | undefined {
    return this.#failed.get(idOf(kind, key))?.values().next().value;
  }

  /** Resolves when no last run of the object has failed, at once where none has; rejects with the signal's reason. */
  async untilNone(kind: string, key: ObjectKey, signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => undefined);
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      while (this.of(kind, key) !== undefined) await Promise.race([this.#change.promise, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}

function idOf(kind: string, key: ObjectKey): string {
  return `${kind} ${key}`;
}
