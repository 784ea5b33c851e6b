import { copyJson, isJsonObject, setKey } from '@evenkeel/apimachinery/json';
import type { Random } from '@evenkeel/core';

/** Returns one of the values. */
export function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.integer(from.length)] as T;
}

/** Returns whether something with this probability happens. */
export function chance(random: Random, probability: number): boolean {
  return random.next() < probability;
}

/** A literal that `JSON.stringify` would write in another form or could not write: `1.0`, or `yes` in YAML. */
export function literal(text: string): string {
  return `⟪${text}⟫`;
}

/** JSON text in which literals are written as they are. */
export function withLiterals(json: string): string {
  return json.replaceAll(/"⟪([^⟫]*)⟫"/g, (_, text: string) => text.replaceAll('\\"', '"').replaceAll('\\\\', '\\'));
}

const oddNumbers = [0, 1, -1, 2, 70_000, 2 ** 31, 2 ** 53, 0.5, ...['1.0', '1e2', '-0', '1e400'].map(literal)];
const oddNumbersAsText = ['1', '50%', '100m', '1Gi', '1e3', '-1', '0', '1.5', '0.0001', '12E'];
const oddStrings = [
  ...['', ' ', 'a', 'A_b', 'a.b', 'a/b', '-a', 'a-', 'ä', '1', 'true', 'a b', 'example.com/x', 'kubernetes.io/x'],
  ...['x'.repeat(63), 'x'.repeat(64), 'x'.repeat(254), 'MQ==', 'MQ', '*', '10.0.0.300', '2026-01-02T03:04:05Z'],
  ...['2026-01-02T03:04:05.678901+02:00', '\u0000', 'a\nb', '"', '<&>', '\u2028', '🙂', 'None', 'Always', 'TCP', 'In'],
  ...oddNumbersAsText,
];
const oddValues: readonly unknown[] = [null, {}, [], [null], true, false, 'x', 5, { a: 'b' }, ['a'], ['a', 'a'], [{}]];
/** Scalars of YAML 1.1 and 1.2 that read differently. */
export const yamlScalars = [
  ...['yes', 'No', 'on', 'OFF', 'y', '~', 'Null', 'TRUE', '017', '0o17', '0x1F', '0b11', '1_000', '.inf', '-.INF'],
  ...['.nan', '1e400', '1e3', '1.0', '.5', '+1', '1:30', '2026-01-02', '2026-01-02T03:04:05Z', '!!binary aGk=', '='],
  ...['!!str 5', '!!int "5"', '!!float 1', '!!bool "yes"', "'a'", '"\\x41"', '-0', '1e+2', '685_230.15', '+.inf'],
].map(literal);

interface Place {
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string | number;
}

/** Changes the value in some places. It is returned, and parts of it may come from `others`, which are like it. */
export function mutate(value: unknown, random: Random, count: number, others: readonly unknown[] = []): unknown {
  const root = { value: copyJson(value) };
  for (let left = count; left > 0; left--) {
    const places = placesIn(root.value);
    if (places.length === 0) break;
    mutateAt(pick(random, places), random, others);
  }
  return root.value;
}

function placesIn(value: unknown): Place[] {
  const places: Place[] = [];
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      const list: unknown[] = next;
      for (const [key, member] of list.entries()) {
        places.push({ parent: list, key });
        open.push(member);
      }
    } else if (isJsonObject(next)) {
      for (const key of Object.keys(next)) {
        places.push({ parent: next, key });
        open.push(next[key]);
      }
    }
  }
  return places;
}

function mutateAt(place: Place, random: Random, others: readonly unknown[]): void {
  const value = valueAt(place);
  const dice = random.next();
  if (dice < 0.12) remove(place);
  else if (dice < 0.2) setAt(place, copyJson(pick(random, oddValues)));
  else if (dice < 0.25) addUnknownField(place, random);
  else if (dice < 0.3) renameKey(place, random);
  else if (dice < 0.45) setAt(place, fromOther(place, random, others) ?? similar(value, random));
  else setAt(place, similar(value, random));
}

/** A value of the same type, or nearly so. */
function similar(value: unknown, random: Random): unknown {
  if (typeof value === 'number') {
    if (chance(random, 0.4)) return value + pick(random, [-1, 1, 1, 2, 10]);
    return pick<unknown>(random, chance(random, 0.2) ? [String(value), literal(`${value}.0`)] : oddNumbers);
  }
  if (typeof value === 'boolean') return pick<unknown>(random, [!value, !value, !value, String(value), null, 1]);
  if (typeof value === 'string') {
    if (/^\d/.test(value) && chance(random, 0.5)) return pick(random, oddNumbersAsText);
    return pick<unknown>(
      random,
      chance(random, 0.3) ? [`${value}x`, `x${value}`, value.toUpperCase(), `${value}-1`, null, 7] : oddStrings,
    );
  }
  if (Array.isArray(value)) {
    const list = value as unknown[];
    return pick<() => unknown>(random, [
      () => [],
      () => [...list, ...list.slice(-1)],
      () => [...list, mutate(list[0], random, 2)],
      () => list.toReversed(),
      () => list.slice(1),
      () => [...list, null],
      () => ({ ...list }),
    ])();
  }
  if (isJsonObject(value)) {
    return pick<() => unknown>(random, [
      () => ({}),
      () => mutate(value, random, 2),
      () => Object.fromEntries(Object.entries(value).reverse()),
      () => [value],
    ])();
  }
  return pick<unknown>(random, [...oddStrings, ...oddNumbers, ...oddValues]);
}

/** The value of a member with the same name, anywhere in another sample. */
function fromOther({ key }: Place, random: Random, others: readonly unknown[]): unknown {
  if (others.length === 0 || typeof key === 'number') return undefined;
  const found = placesIn(pick(random, others)).filter((place) => place.key === key);
  return found.length === 0 ? undefined : copyJson(valueAt(pick(random, found)));
}

function addUnknownField({ parent }: Place, random: Random): void {
  if (Array.isArray(parent)) parent.push(copyJson(pick(random, oddValues)));
  else setKey(parent, pick(random, ['unknown', 'a', 'x.y', 'Name', 'spec', '__proto__']), pick(random, oddValues));
}

/** Go reads fields of structs whatever their case, but the API server does not. */
function renameKey(place: Place, random: Random): void {
  const { parent, key } = place;
  if (Array.isArray(parent) || typeof key === 'number') {
    setAt(place, null);
    return;
  }
  const value = parent[key];
  delete parent[key];
  setKey(parent, pick(random, [key.toUpperCase(), `${key}s`, `${key.charAt(0).toUpperCase()}${key.slice(1)}`]), value);
}

function valueAt({ parent, key }: Place): unknown {
  return (parent as Record<string, unknown>)[key];
}

function setAt({ parent, key }: Place, value: unknown): void {
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else setKey(parent, String(key), value);
}

function remove({ parent, key }: Place): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

/** A part of an object, for a patch: some members at each level, some of them null. */
export function partOf(value: unknown, random: Random): unknown {
  if (!isJsonObject(value)) return value;
  const part = {};
  for (const [key, member] of Object.entries(value)) {
    if (!chance(random, 0.6)) continue;
    setKey(part, key, chance(random, 0.07) ? null : partOf(member, random));
  }
  return part;
}

/** JSON pointers to all values in an object. */
export function pointersIn(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const pointer = `${prefix}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [pointer, ...pointersIn(member, pointer)];
  });
}
