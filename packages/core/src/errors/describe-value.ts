/** So many keys of an object are named, and so much of each name. */
const keysNamed = 4;
const longestName = 64;

/**
 * What a value is, for a message that refuses it: an object by its kind, namespace and name, or by a few of its keys; a
 * text by its length. Short, whatever the value is, and never what it holds: that may be the contents of a Secret. Never
 * throws.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value === '' ? 'an empty text' : `a text of ${value.length} characters`;
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
  if (value instanceof Error) return `an error (${cut(value.name)})`;
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
