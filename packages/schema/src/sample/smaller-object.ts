import { copyJson, setKey } from '@evenkeel/apimachinery/json';

/** Each attempt may convert and validate the object. */
const attemptsMax = 3000;

/**
 * Returns a smaller object for which a predicate still holds: without fields and elements that it does not need, and with shorter
 * strings and smaller numbers. `apiVersion`, `kind` and `metadata.name` stay.
 *
 * @param make returns the object of an attempt as it is stored; undefined if it is invalid.
 */
export function smallerObject<T extends object>(
  object: T,
  make: (attempt: object) => T | undefined,
  holds: (object: T) => boolean,
): T {
  let smallest = object;
  let left = attemptsMax;
  for (let isSmaller = true; isSmaller && left > 0; ) {
    isSmaller = false;
    for (const attempt of simplifications(smallest, [])) {
      if (--left < 0) break;
      const made = make(attempt as object);
      if (made === undefined || !isBefore(made, smallest) || !holds(made)) continue;
      smallest = made;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** Defaults may put back what was removed, so that an attempt is not always smaller. */
function isBefore(one: object, other: object): boolean {
  const [left, right] = [one, other].map((value) => JSON.stringify(value));
  return left === undefined || right === undefined
    ? false
    : left.length < right.length || (left.length === right.length && left < right);
}

const kept: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'metadata.name']);

/** Copies of a value with one simplification each: those that remove most come first. */
function* simplifications(value: unknown, path: readonly string[]): Generator<unknown> {
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    if (list.length > 1) yield list.slice(0, Math.ceil(list.length / 2));
    for (let at = 0; at < list.length; at++) yield list.toSpliced(at, 1);
    for (const [at, item] of list.entries()) {
      for (const simpler of simplifications(item, [...path, String(at)])) yield list.with(at, simpler);
    }
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    for (const [name] of entries) {
      if (!kept.has([...path, name].join('.'))) yield withEntry(value, name, undefined);
    }
    for (const [name, inner] of entries) {
      const below = [...path, name];
      if (kept.has(below.join('.')) && name !== 'metadata') continue;
      for (const simpler of simplifications(inner, below)) yield withEntry(value, name, simpler);
    }
  } else if (typeof value === 'string') {
    const characters = [...value];
    for (const length of new Set([0, 1, characters.length >> 1, characters.length - 1])) {
      if (length >= 0 && length < characters.length) yield characters.slice(0, length).join('');
    }
    for (let at = 0; at < characters.length - 1; at++) yield characters.toSpliced(at, 1).join('');
    for (const [at, character] of characters.entries()) {
      const plain = /\d/.test(character) ? '0' : 'a';
      if (character !== plain) yield characters.with(at, plain).join('');
    }
  } else if (typeof value === 'number') {
    for (const simpler of [0, 1, Math.trunc(value), Math.trunc(value / 2), value - Math.sign(value)]) {
      if (simpler !== value) yield simpler;
    }
  } else if (value === true) yield false;
}

/** `undefined` removes the entry. */
function withEntry(object: object, name: string, value: unknown): object {
  const copy = copyJson(object);
  if (value === undefined) delete (copy as Record<string, unknown>)[name];
  else setKey(copy as Record<string, unknown>, name, value);
  return copy;
}
