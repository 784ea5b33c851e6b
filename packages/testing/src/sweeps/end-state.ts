import type { Client, ObjectOf, RequestedKind } from '@evenkeel/client';
import type { KubernetesObject } from '@evenkeel/core';
import { assigned, maskAssigned } from './assigned-fields.ts';

/** The end state of a round: its masked objects by kind and name. */
export type EndState = ReadonlyMap<string, unknown>;

const uidPattern = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/**
 * Reads the objects of some kinds in a namespace, without values that differ between runs: resourceVersions, times,
 * managedFields, and values that the server assigns. The namespace's name becomes `<namespace>`. An object's uid
 * becomes its kind and name everywhere; the uids of missing objects become the same placeholder.
 */
export async function readEndState<K extends RequestedKind>(
  client: Client,
  namespace: string,
  kinds: readonly K[],
  mask: (object: ObjectOf<K>) => void,
): Promise<EndState> {
  const names = new Map<string, string>([[namespace, '<namespace>']]);
  const copies: KubernetesObject[] = [];
  for (const kind of kinds) {
    for (const object of (await client.list(kind, { namespace })).items) {
      const copy = JSON.parse(JSON.stringify(object)) as KubernetesObject;
      // The class of the client's object.
      Object.setPrototypeOf(copy, Object.getPrototypeOf(object) as object);
      delete copy.metadata.managedFields;
      delete copy.metadata.resourceVersion;
      mask(copy as ObjectOf<K>);
      for (const text of maskAssigned(copy)) names.set(text, assigned);
      names.set(object.metadata.uid ?? '', `<${copy.kind} ${copy.metadata.name}>`);
      copies.push(copy);
    }
  }
  const state = new Map<string, unknown>();
  for (const copy of copies) {
    // Names may have been masked.
    let id = `${copy.kind} ${copy.metadata.name}`;
    for (let count = 2; state.has(id); count++) id = `${copy.kind} ${copy.metadata.name} (${count})`;
    state.set(id, masked(copy, names));
  }
  return state;
}

/** Describes the objects that were deleted, but still exist because nothing has removed their finalizers. */
export async function deletedButHeld(
  client: Client,
  namespace: string,
  kinds: readonly RequestedKind[],
): Promise<string[]> {
  const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace })));
  return lists.flatMap(({ items }) =>
    items.flatMap(({ kind, metadata: { name, deletionTimestamp, finalizers = [] } }) =>
      deletionTimestamp === undefined || finalizers.length === 0
        ? []
        : [`${kind} ${name} was deleted, but still has the finalizers ${finalizers.join(', ')}`],
    ),
  );
}

/** Reads the version of each object. */
export async function readVersions(
  client: Client,
  namespace: string,
  kinds: readonly RequestedKind[],
): Promise<EndState> {
  const versions = new Map<string, unknown>();
  for (const kind of kinds) {
    for (const object of (await client.list(kind, { namespace })).items) {
      versions.set(`${object.kind} ${object.metadata.name}`, { resourceVersion: object.metadata.resourceVersion });
    }
  }
  return versions;
}

function masked(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? maskedText(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, masked(key === 'conditions' ? byType(item) : item, names)]),
  );
}

/** Conditions are a map by their type (API conventions), so their order has no meaning. */
function byType(conditions: unknown): unknown {
  if (!Array.isArray(conditions)) return conditions;
  const typeOf = (condition: unknown): unknown => (isContainer(condition) ? propertyOf(condition, 'type') : undefined);
  if (!conditions.every((condition) => typeof typeOf(condition) === 'string')) return conditions;
  return conditions.toSorted((left, right) => (String(typeOf(left)) < String(typeOf(right)) ? -1 : 1));
}

function maskedText(text: string): string {
  if (timePattern.test(text)) return '<time>';
  return uidPattern.test(text) ? '<uid of a missing object>' : text;
}

/** The maximum number of reported differences. */
const mostDifferences = 10;

/** Describes the differences between two states; empty if there are none. */
export function differencesOf(actual: EndState, expected: EndState): string[] {
  const found: string[] = [];
  for (const name of new Set([...expected.keys(), ...actual.keys()])) {
    if (!actual.has(name)) found.push(`${name} is missing`);
    else if (!expected.has(name)) found.push(`${name} exists but should not`);
    else compare(`${name}: `, actual.get(name), expected.get(name), found);
  }
  const more = found.length - mostDifferences;
  return more > 0 ? [...found.slice(0, mostDifferences), `and ${more} more`] : found;
}

function compare(path: string, actual: unknown, expected: unknown, found: string[]): void {
  if (isContainer(actual) && isContainer(expected) && Array.isArray(actual) === Array.isArray(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const at = Array.isArray(expected) ? `${path}[${key}]` : path.endsWith(' ') ? `${path}${key}` : `${path}.${key}`;
      compare(at, propertyOf(actual, key), propertyOf(expected, key), found);
    }
    return;
  }
  if (actual !== expected) found.push(`${path} is ${textOf(actual)} and should be ${textOf(expected)}`);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function propertyOf(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
