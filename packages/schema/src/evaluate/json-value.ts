/** A JSON object as it was parsed. Its keys come from outside: read with {@link valueAt}, write with {@link setKey}. */
export interface JsonObject {
  [key: string]: unknown;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object's own value under `key`; undefined where it has none, also for names that every object inherits. */
export function valueAt(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own key; `__proto__` becomes a key like any other instead of the object's prototype. */
export function setKey(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/**
 * Whether a number is what Go's JSON decoder makes an int64 of. JavaScript does not tell 1 from 1.0: both count as
 * integers here. Integers JavaScript cannot hold arrive as bigint.
 */
export function isInt64(value: unknown): value is number | bigint {
  if (typeof value === 'bigint') return value >= -(2n ** 63n) && value < 2n ** 63n;
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 63;
}

/** Whether two JSON values are the same, key order aside. Nesting of any depth is compared without recursion. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const pairs: unknown[] = [left, right];
  while (pairs.length > 0) {
    const b = pairs.pop();
    const a = pairs.pop();
    if (a === b) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals the number of the same value
      if (typeof a === 'bigint' || typeof b === 'bigint' ? a == b : Number.isNaN(a) && Number.isNaN(b)) continue;
      return false;
    }
    if (Array.isArray(a) || Array.isArray(b)) {
      if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
      for (let i = 0; i < a.length; i++) pairs.push(a[i], b[i]);
    } else {
      const object = a as JsonObject;
      const other = b as JsonObject;
      let keys = 0;
      for (const key of Object.keys(object)) {
        if (object[key] === undefined) continue;
        keys++;
        if (valueAt(other, key) === undefined) return false;
        pairs.push(object[key], other[key]);
      }
      for (const key of Object.keys(other)) if (other[key] !== undefined) keys--;
      if (keys !== 0) return false;
    }
  }
  return true;
}

/** A deep copy of a JSON value; nesting of any depth is copied without recursion. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const root: unknown = Array.isArray(value) ? [] : {};
  const open: [unknown, unknown][] = [[value, root]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, to] = next;
    const source = from as JsonObject;
    for (const key of Object.keys(source)) {
      const child = source[key];
      if (typeof child !== 'object' || child === null) {
        setKey(to as JsonObject, key, child);
      } else {
        const copy = Array.isArray(child) ? [] : {};
        setKey(to as JsonObject, key, copy);
        open.push([child, copy]);
      }
    }
  }
  return root as T;
}

/** Whether there is an object with a key of its own. */
export function hasMembers<T extends object>(value: T | undefined): value is T {
  return value !== undefined && Object.keys(value).length > 0;
}
