import { relative } from 'node:path';
import { userPlaceOf } from '../load/load-failure.ts';

/** So far is asked what an error comes of; two may be the cause of each other. */
const deepest = 8;

/**
 * Where in the user's code an error came about, or what it comes of did: `src/site.controller.ts:40`, from `folder`. Undefined
 * where no stack says so.
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
