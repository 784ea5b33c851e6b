import { placesOf } from '../errors/stack-places.ts';

/** Records the line that called a function. V8 formats the stack only when it is read. */
export function recordCall(called: (...values: never[]) => unknown): Error {
  const call = new Error(called.name);
  Error.captureStackTrace(call, called);
  return call;
}

/** Returns ` (/app/site.ts:12)`, for messages, or an empty string if the line of a recorded call is unknown. */
export function placeOfCall(call: Error | undefined): string {
  const [place] = placesOf(call);
  return place === undefined ? '' : ` (${place.file}:${place.line})`;
}
