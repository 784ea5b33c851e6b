import { EvenkeelError, messageWithCause } from '@evenkeel/core';
import { listenForStrayErrors, placeOfError, type StrayError } from '@evenkeel/runtime';
import type { Reports } from './reports.ts';

/** The uncaught errors of user code, which end a session. Listens until the process exits. */
export class StrayErrors {
  /** Rejects with the first error. */
  readonly failed: Promise<never>;
  #first: EvenkeelError | undefined;

  /** Messages show file paths relative to `folder`. Errors after the first are printed by the narrator. */
  constructor(folder: string, narrator: Reports) {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.failed = promise;
    listenForStrayErrors((stray) => {
      const failure = failureOf(stray, folder);
      if (this.#first !== undefined) narrator.report('error', `${failure.message} [${failure.code}]`, { tone: 'bad' });
      this.#first ??= failure;
      reject(failure);
    });
  }

  /** Throws the first error if one occurred while nothing awaited `failed`. */
  throwFirst(): void {
    if (this.#first !== undefined) throw this.#first;
  }
}

/**
 * Describes the reconcile that it came from, the fix, the error's message and where it was thrown, as far as they are
 * known.
 */
function failureOf({ code, message, error, reconcile }: StrayError, folder: string): EvenkeelError {
  const { controller, namespace, name } = reconcile ?? {};
  const object = namespace === undefined ? name : `${namespace}/${name}`;
  const from = reconcile === undefined ? '' : `controller ${controller}, ${object}: `;
  const place = placeOfError(error, folder);
  const where = place === undefined ? '' : ` (${place})`;
  return new EvenkeelError(code, `${from}${message}: ${messageWithCause(error)}${where}`, { cause: error });
}
