import { relative } from 'node:path';
import { userPlaceOf } from '@evenkeel/core';

/**
 * Returns the place in the user's code that threw an error, or its cause: `src/site.controller.ts:40`, relative to
 * `folder`. Undefined if no stack contains it.
 */
export function placeOfError(error: unknown, folder: string): string | undefined {
  const place = userPlaceOf(error);
  return place === undefined ? undefined : `${relative(folder, place.file)}:${place.line}`;
}
