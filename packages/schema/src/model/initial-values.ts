import type { AnyClass } from '@evenkeel/core';
import { type Answers, inOtherSurroundings } from './other-surroundings.ts';

/** The values that the initialisers of a class give; undefined for properties that are only declared. */
export type InitialValues =
  | {
      readonly values: ReadonlyMap<string, unknown>;
      /** Properties whose initialisers gave something else in another instance. */
      readonly unstable: ReadonlyMap<string, Instability>;
      /** What the constructor threw in other surroundings alone. */
      readonly threwElsewhere?: unknown;
    }
  | { readonly threw: unknown };

/** Whether an initialiser gives something else each time, or only at another time, on another host or the like. */
export type Instability = 'always' | 'elsewhere';

/** What is not found with the first of these may be with others: `DEBUG === 'true'`, `Math.random() < 0.5`. */
const answers: readonly [Answers, ...Answers[]] = [
  { variables: '40961', chance: 0.93 },
  { variables: undefined, chance: 0.07 },
  { variables: 'true', chance: 0.57 },
  { variables: 'production', chance: 0.43 },
  { variables: '1', chance: 0.999 },
];

/**
 * Makes instances, without arguments, and reads their own properties: two of them as things are, others where time, host
 * and environment are different, so that what depends on those is not taken for a default. The values are the first's.
 */
export function initialValuesOf(type: AnyClass): InitialValues {
  const create = type as unknown as new () => object;
  const unstable = new Map<string, Instability>();
  let values: Map<string, unknown>;
  const compare = (others: ReadonlyMap<string, unknown>, instability: Instability) => {
    for (const name of new Set([...values.keys(), ...others.keys()])) {
      if (!unstable.has(name) && !isSame(values.get(name), others.get(name))) unstable.set(name, instability);
    }
  };
  try {
    values = ownValues(new create());
    compare(ownValues(new create()), 'always');
  } catch (error) {
    return { threw: error };
  }
  const looks = { atEnvironment: false, atChance: false };
  for (const other of answers) {
    try {
      compare(
        inOtherSurroundings(other, looks, () => ownValues(new create())),
        'elsewhere',
      );
    } catch (error) {
      return { values, unstable, threwElsewhere: error };
    }
    if (!looks.atEnvironment && !looks.atChance) break;
  }
  return { values, unstable };
}

function ownValues(instance: object): Map<string, unknown> {
  return new Map(Object.entries(instance));
}

function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  const [keys, others] = [Object.keys(left), Object.keys(right)];
  return (
    Object.getPrototypeOf(left) === Object.getPrototypeOf(right) &&
    String(left) === String(right) &&
    keys.length === others.length &&
    keys.every((key) => isSame((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]))
  );
}

/**
 * A value as JSON, with keys of undefined left out. Undefined where it is not JSON: null unless it is allowed, numbers
 * that are not finite, dates, maps, functions, cycles.
 */
export function jsonOf(value: unknown, allowsNull = false, depth = 0): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value === null) return allowsNull ? null : undefined;
  if (typeof value !== 'object' || depth > 100) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => jsonOf(item, allowsNull, depth + 1));
    return items.includes(undefined) ? undefined : items;
  }
  if (value instanceof Date || value instanceof Map || value instanceof Set || ArrayBuffer.isView(value))
    return undefined;
  const members: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const converted = jsonOf(member, allowsNull, depth + 1);
    if (converted === undefined) return undefined;
    members.push([key, converted]);
  }
  return Object.fromEntries(members);
}
