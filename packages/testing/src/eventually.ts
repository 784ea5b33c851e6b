import type { OperatorJournal } from './journal/operator-journal.ts';
import { type EventuallyOptions, waitFor } from './wait.ts';

/**
 * Calls an assertion until it no longer throws, and resolves to its result. Between calls it pauses for 1 ms, then
 * twice as long each time, up to 100 ms.
 *
 * When the time is up, also during a call, the promise rejects with an error that has the message of the last finished
 * call, and its error as `cause`. The stack is that of this call.
 *
 * After the message, the error describes what the operators did: the state of each manager, the last runs of the objects
 * that the last call read through `environment.client`, and the last other errors, at most some dozen lines. The
 * operators are those of the environments in which that call read something; if it read nothing, those of all open
 * environments. An operator in another process is unknown. The wording may change in any version.
 */
export async function eventually<T>(assertion: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  return await eventuallyAmong(undefined, eventually, assertion, options);
}

/** Like {@link eventually}, with the operators of a report. `called` is the function that the user called. */
export async function eventuallyAmong<T>(
  journals: readonly OperatorJournal[] | undefined,
  called: (...given: never[]) => unknown,
  assertion: () => T | Promise<T>,
  options: EventuallyOptions,
): Promise<T> {
  const failed = new Error();
  Error.captureStackTrace(failed, called);
  const outcome = await waitFor(assertion, options, journals);
  if ('value' in outcome) return outcome.value;
  throw explained(failed, `${outcome.message}${outcome.report}`, outcome.error);
}

/** Also sets the message in the stack, which contains the message of the time when the stack was taken. */
function explained(error: Error, message: string, cause: unknown): Error {
  const frames = error.stack?.slice(error.stack.indexOf('\n')) ?? '';
  error.message = message;
  error.cause = cause;
  error.stack = `Error: ${message}${frames}`;
  return error;
}
