import type { AnyClass } from '@evenkeel/core';

/** The values that the initialisers of a class give; undefined for properties that are only declared. */
export type InitialValues =
  | {
      readonly values: ReadonlyMap<string, unknown>;
      /** Properties whose initialisers gave something else the second time. */
      readonly unstable: ReadonlySet<string>;
    }
  | { readonly threw: unknown };

/** Makes two instances, without arguments, and reads their own properties. */
export function initialValuesOf(type: AnyClass): InitialValues {
  const create = type as unknown as new () => object;
  try {
    const values = ownValues(new create());
    const again = ownValues(new create());
    const names = new Set([...values.keys(), ...again.keys()]);
    const unstable = new Set([...names].filter((name) => !isSame(values.get(name), again.get(name))));
    return { values, unstable };
  } catch (error) {
    return { threw: error };
  }
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
