import { isJsonObject, jsonEqual } from '@evenkeel/apimachinery/json';

/** A field that differs between two objects. A value that does not exist is undefined. */
export interface FieldChange {
  /** `spec.template.spec.containers[manager].image` */
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Fields that the server sets or that every write changes. */
const serverFields: ReadonlySet<string> = new Set([
  'status',
  ...['managedFields', 'resourceVersion', 'generation', 'creationTimestamp', 'uid'].map((name) => `metadata.${name}`),
]);

/**
 * Returns the fields in which two states of an object differ, without those that the server sets. The items of a list are compared by
 * their names, if all items have different ones, otherwise by their positions.
 */
export function changedFields(before: object, after: object): FieldChange[] {
  return [...differences(before, after, '')].filter(({ path }) => !serverFields.has(path));
}

function* differences(before: unknown, after: unknown, path: string): Generator<FieldChange> {
  if (serverFields.has(path)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      yield* differences(before[name], after[name], path === '' ? name : `${path}${segment(name)}`);
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const [old, current] = [byName(before), byName(after)];
    const isNamed = old !== undefined && current !== undefined;
    const entries = isNamed ? [old, current] : [byPosition(before), byPosition(after)];
    const [left = new Map(), right = new Map()] = entries;
    for (const name of new Set([...left.keys(), ...right.keys()])) {
      yield* differences(left.get(name), right.get(name), `${path}[${name}]`);
    }
    return;
  }
  if (jsonEqual(before, after)) return;
  yield { path, ...(before === undefined ? {} : { from: before }), ...(after === undefined ? {} : { to: after }) };
}

/** Annotations and labels have names with dots and slashes. */
function segment(name: string): string {
  return /^[\w-]+$/.test(name) ? `.${name}` : `[${name}]`;
}

function byName(items: readonly unknown[]): Map<string, unknown> | undefined {
  const named = new Map(items.map((item) => [isJsonObject(item) ? item['name'] : undefined, item]));
  const isKeyed = named.size === items.length && [...named.keys()].every((name) => typeof name === 'string');
  return isKeyed ? (named as Map<string, unknown>) : undefined;
}

function byPosition(items: readonly unknown[]): Map<string, unknown> {
  return new Map(items.map((item, at) => [String(at), item]));
}

const shownMax = 60;

/** Returns a change in one line: `spec.replicas: 1 -> 2`. Long values are truncated. */
export function shownChange({ path, from, to }: FieldChange): string {
  const shown = (value: unknown): string => {
    const text = value === undefined ? 'nothing' : JSON.stringify(value);
    return text.length > shownMax ? `${text.slice(0, shownMax)}...` : text;
  };
  return `${path}: ${shown(from)} -> ${shown(to)}`;
}
