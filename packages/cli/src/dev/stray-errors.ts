import { EvenkeelError } from '@evenkeel/core';
import { listenForStrayErrors, type StrayError } from '@evenkeel/runtime';
import { messageOf } from './describe-run.ts';
import type { Narrator } from './narrator.ts';
import { placeOfError } from './place-of-error.ts';

/** The errors of user code that nothing catches, which a session ends with. Listens to the end of the process. */
export class StrayErrors {
  /** Rejects with the first. */
  readonly failed: Promise<never>;
  #first: EvenkeelError | undefined;

  /** Files are named from `folder`; those after the first are told the narrator. */
  constructor(folder: string, narrator: Narrator) {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.failed = promise;
    listenForStrayErrors((stray) => {
      const failure = failureOf(stray, folder);
      if (this.#first !== undefined) narrator.tell('error', `${failure.message} [${failure.code}]`, { tone: 'bad' });
      this.#first ??= failure;
      reject(failure);
    });
  }

  /** For one that came up when nobody waited for it any more. */
  throwFirst(): void {
    if (this.#first !== undefined) throw this.#first;
  }
}

/** Says which reconcile it comes from, what to do, what the error says and where it was thrown, as far as they are known. */
function failureOf({ code, message, error, reconcile }: StrayError, folder: string): EvenkeelError {
  const { controller, namespace, name } = reconcile ?? {};
  const object = namespace === undefined ? name : `${namespace}/${name}`;
  const from = reconcile === undefined ? '' : `controller ${controller}, ${object}: `;
  const place = placeOfError(error, folder);
  const where = place === undefined ? '' : ` (${place})`;
  return new EvenkeelError(code, `${from}${message}: ${messageOf(error)}${where}`, { cause: error });
}
