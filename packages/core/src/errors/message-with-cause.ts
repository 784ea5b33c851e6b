import { EvenkeelError } from './evenkeel-error.ts';
import { isError } from './is-error.ts';
import { messageOf } from './message-of.ts';

/** Returns the message with that of the cause, which alone says why a `fetch` failed, unless the message contains it. */
export function messageWithCause(error: unknown): string {
  const message = messageOf(error);
  // The messages of Evenkeel are complete.
  const cause = isError(error) && !(error instanceof EvenkeelError) ? error.cause : undefined;
  if (!isError(cause)) return message;
  // The error of several addresses has only a code.
  const why = cause.message === '' ? (Reflect.get(cause, 'code') as unknown) : cause.message;
  return typeof why !== 'string' || why === '' || message.includes(why) ? message : `${message}: ${why}`;
}
