import { EvenkeelError } from './evenkeel-error.ts';
import { isError } from './is-error.ts';
import { messageOf } from './message-of.ts';

/** Wrapped errors seldom have more levels, and a chain of causes can be a circle. */
const causesMax = 8;

/**
 * Returns the message with those of all causes, of which only the last one says why a `fetch` failed. Messages that are already contained
 * are omitted. The messages of Evenkeel are complete, so their causes are not added.
 */
export function messageWithCause(error: unknown): string {
  let message = messageOf(error);
  let current = error;
  for (let depth = 0; depth < causesMax; depth++) {
    const cause = isError(current) && !(current instanceof EvenkeelError) ? current.cause : undefined;
    if (!isError(cause)) break;
    // The error of several addresses has only a code.
    const why = cause.message === '' ? (Reflect.get(cause, 'code') as unknown) : cause.message;
    if (typeof why === 'string' && why !== '' && !message.includes(why)) message = `${message}: ${why}`;
    current = cause;
  }
  return message;
}
