import type { AnyClass } from '@evenkeel/core';
import { type Answers, inOtherSurroundings } from './other-surroundings.ts';

/** The values of the initialisers of a class; undefined for properties without initialiser. */
export type InitialValues =
  | {
      readonly values: ReadonlyMap<string, unknown>;
      /** Properties whose initialisers returned a different value in another instance. */
      readonly unstable: ReadonlyMap<string, Instability>;
      /** The error that the constructor threw only in other surroundings. */
      readonly threwElsewhere?: unknown;
    }
  | { readonly threw: unknown };

/** Whether an initialiser returns a different value each time, or only at another time, on another host or similar. */
export type Instability = 'always' | 'elsewhere';

/** Several sets, because one may not reveal the dependency: `DEBUG === 'true'`, `Math.random() < 0.5`. */
const answers: readonly [Answers, ...Answers[]] = [
  { variables: '40961', chance: 0.93 },
  { variables: undefined, chance: 0.07 },
  { variables: 'true', chance: 0.57 },
  { variables: 'production', chance: 0.43 },
  { variables: '1', chance: 0.999 },
];

/**
 * Creates instances without arguments and reads their own properties: two in the real surroundings, and others at another
 * time, on another host and in another environment, to find values that are no stable defaults. The values are those of
 * the first instance.
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
 * A value as JSON, without keys whose value is undefined. Returns undefined for values that are not JSON: null (unless it is
 * allowed), numbers that are not finite, dates, maps, functions, cycles.
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
