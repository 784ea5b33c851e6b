import { relative } from 'node:path';
import { userPlacesOf } from '@evenkeel/core';

/** The number of callers that a description names. */
const mostCallers = 2;

/** Describes where the user's code created an error: `test/start.ts:12, called from src/site.test.ts:30`. */
export function callPlace(call: Error): string | undefined {
  const places = userPlacesOf(call).map(({ file, line }) => `${relative(process.cwd(), file)}:${line}`);
  const [place, ...callers] = [...new Set(places)];
  if (place === undefined || callers.length === 0) return place;
  return `${place}, called from ${callers.slice(0, mostCallers).join(', ')}`;
}
