import { EvenkeelError } from '@evenkeel/core';

/** Runs a check. Adds its EvenkeelError to `errors`, with `where` before the message, and returns undefined then. */
export function attempt<T>(errors: EvenkeelError[], check: () => T, where = ''): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof EvenkeelError)) throw error;
    errors.push(where === '' ? error : new EvenkeelError(error.code, `${where}${error.message}`, { cause: error }));
    return undefined;
  }
}
