import { isJsonObject, jsonEqual, valueAt } from '@evenkeel/apimachinery/json';

/**
 * Compares an assertion with an object by kuttl's rules: objects may have more keys, lists must have the same length and items that match
 * in their order. Returns the first difference, such as `status.readyReplicas: expected 3, found 1`; undefined if there is none.
 */
export function differenceOf(expected: unknown, actual: unknown, path = ''): string | undefined {
  const at = path === '' ? '' : `${path}: `;
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const [key, value] of Object.entries(expected)) {
      const below = path === '' ? key : `${path}.${key}`;
      if (!Object.hasOwn(actual, key)) return `${below}: expected ${shown(value)}, found nothing`;
      const difference = differenceOf(value, valueAt(actual, key), below);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) {
      return `${at}expected ${count(expected.length)}, found ${actual.length}`;
    }
    for (const [index, item] of expected.entries()) {
      const difference = differenceOf(item, actual[index], `${path}[${index}]`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return jsonEqual(expected, actual) ? undefined : `${at}expected ${shown(expected)}, found ${shown(actual)}`;
}

function count(items: number): string {
  return `${items} ${items === 1 ? 'item' : 'items'}`;
}

/** The length of a value in a message. */
const shownMax = 120;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}...` : text;
}
