import { relative } from 'node:path';
import { userPlaceOf } from '../load/load-failure.ts';

/** The maximum depth of causes; two errors may be the cause of each other. */
const deepest = 8;

/**
 * Returns the place in the user's code that threw an error, or its cause: `src/site.controller.ts:40`, relative to
 * `folder`. Undefined if no stack contains it.
 */
export function placeOfError(error: unknown, folder: string): string | undefined {
  let at = error;
  for (let depth = 0; depth < deepest && at instanceof Error; depth++) {
    const place = userPlaceOf(at);
    if (place !== undefined) return `${relative(folder, place.file)}:${place.line}`;
    at = at.cause;
  }
  return undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
