import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';

/** Whether two values have the same JSON: the order of members counts too. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

const linesMax = 12;

/** The values that differ, one on each line: the path, the expected value and the actual one. */
export function differingLines(expected: unknown, actual: unknown, path = ''): string[] {
  if (isSame(expected, actual)) return [];
  if (isJsonObject(expected) && isDeepStrictEqual(expected, actual) && isJsonObject(actual)) {
    const orders = [expected, actual].map((object) => Object.keys(object).join(' '));
    if (orders[0] !== orders[1]) return [`${path}: order of members: real ${orders[0]}, embedded ${orders[1]}`];
  }
  const isNested =
    (isJsonObject(expected) && isJsonObject(actual)) || (Array.isArray(expected) && Array.isArray(actual));
  if (!isNested) return [`${path}: real ${JSON.stringify(expected)}, embedded ${JSON.stringify(actual)}`];
  const [left, right] = [expected as JsonObject, actual as JsonObject];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .flatMap((key) => differingLines(left[key], right[key], `${path}.${key}`))
    .slice(0, linesMax);
}
