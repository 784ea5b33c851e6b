import { copyJson, isJsonObject, setKey } from '@evenkeel/apimachinery/json';

/** A copy of an object in which one place differs. */
export interface Mutation {
  /** The place and its new value, for reports. */
  readonly title: string;
  readonly value: unknown;
}

const texts = ['', 'A_b', 'a/b', 'x'.repeat(64), 'x'.repeat(254), '1', '::1', '50%'];
const numbers = [0, 1, -1, 2 ** 31 - 1];

/** All objects that differ from a value in one place: without it, or with another value of nearly the same type. */
export function mutationsOf(value: unknown): Mutation[] {
  return placesIn(value).flatMap((path) => {
    const replaced = othersFor(valueAt(value, path)).map((other) => ({
      title: `${shownPath(path)} = ${JSON.stringify(other)}`,
      value: changed(value, path, (parent, key) => setKey(parent, key, copyJson(other))),
    }));
    const without = changed(value, path, (parent, key) => {
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
    });
    return [{ title: `without ${shownPath(path)}`, value: without }, ...replaced];
  });
}

function othersFor(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return numbers.filter((other) => other !== value);
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') return texts.filter((other) => other !== value);
  if (Array.isArray(value))
    return [[], [...(value as unknown[]), ...(value as unknown[]).slice(-1)], value.toReversed()];
  return [{}];
}

type Path = readonly string[];

function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [[...path, key], ...placesIn(member, [...path, key])]);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((parent, key) => (parent as Record<string, unknown>)[key], value);
}

function changed(value: unknown, path: Path, change: (parent: Record<string, unknown>, key: string) => void): unknown {
  const copy = copyJson(value);
  const parent = valueAt(copy, path.slice(0, -1));
  const key = path.at(-1);
  if (key !== undefined && (isJsonObject(parent) || Array.isArray(parent))) {
    change(parent as Record<string, unknown>, key);
  }
  return copy;
}

function shownPath(path: Path): string {
  return path
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
}
