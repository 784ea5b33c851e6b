import { isError } from './is-error.ts';

/** Limits of the keys in a description, and of the length of each. */
const keysNamed = 4;
const longestName = 64;

/**
 * Describes a value for an error message: an object by its kind, namespace and name, or by a few of its keys; a string by its
 * length. The description is short for any value. It never has the contents, which may be a Secret. Never throws.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value === '' ? 'an empty string' : `a string of ${value.length} characters`;
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'function':
      return 'a function';
    case 'object':
      try {
        return value === null ? 'null' : describeObject(value);
      } catch {
        return 'an object';
      }
    default:
      return `a ${typeof value}`;
  }
}

function describeObject(value: object): string {
  if (value instanceof Promise) return 'a promise';
  if (isError(value)) return `an error (${cut(value.name)})`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const { kind, metadata } = value as { readonly kind?: unknown; readonly metadata?: unknown };
  const { name, namespace } = (metadata ?? {}) as { readonly name?: unknown; readonly namespace?: unknown };
  if (typeof kind === 'string' && typeof name === 'string') {
    return `the ${cut(kind)} ${typeof namespace === 'string' ? `${cut(namespace)}/` : ''}${cut(name)}`;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an object without keys';
  const more = keys.length > keysNamed ? ` and ${keys.length - keysNamed} more` : '';
  return `an object with ${keys.slice(0, keysNamed).map(cut).join(', ')}${more}`;
}

function cut(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
}
