import { isError } from './is-error.ts';

/** Returns the message of an error, or a thrown value as a string. */
export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error);
}
