import { relative } from 'node:path';
import { userPlaceOf } from '@evenkeel/core';

/** Returns the line of the user's code that threw an error, relative to the working directory: `src/site.ts:4`. */
export function userPlace(error: unknown): string | undefined {
  const place = userPlaceOf(error);
  return place === undefined ? undefined : `${relative(process.cwd(), place.file)}:${place.line}`;
}
