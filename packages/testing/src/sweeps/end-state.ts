import type { Client, RequestedKind } from '@evenkeel/client';
import type { KubernetesObject } from '@evenkeel/core';
import { assigned, maskAssigned } from './assigned-fields.ts';

/** What a round ended with: the objects by kind and name, masked, as text. */
export type EndState = ReadonlyMap<string, unknown>;

const uidPattern = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/**
 * The objects of some kinds in a namespace, without what differs from one run to the next: resourceVersions, times,
 * managedFields, what the server assigns. The namespace's name is `<namespace>`, and an object's uid, wherever it stands, its kind
 * and name; those of objects that are not there are all the same.
 */
export async function readEndState(
  client: Client,
  namespace: string,
  kinds: readonly RequestedKind[],
  mask: (object: KubernetesObject) => void,
): Promise<EndState> {
  const names = new Map<string, string>([[namespace, '<namespace>']]);
  const copies: KubernetesObject[] = [];
  for (const kind of kinds) {
    for (const object of (await client.list(kind, { namespace })).items) {
      const copy = JSON.parse(JSON.stringify(object)) as KubernetesObject;
      delete copy.metadata.managedFields;
      delete copy.metadata.resourceVersion;
      mask(copy);
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

/** In which version each of the objects is. */
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
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, names)]));
}

function maskedText(text: string): string {
  if (timePattern.test(text)) return '<time>';
  return uidPattern.test(text) ? '<uid of what is gone>' : text;
}

/** How many differences are told. */
const mostDifferences = 10;

/** In words, what is otherwise than it should be. Empty where nothing is. */
export function differencesOf(actual: EndState, expected: EndState): string[] {
  const found: string[] = [];
  for (const name of new Set([...expected.keys(), ...actual.keys()])) {
    if (!actual.has(name)) found.push(`${name} is missing`);
    else if (!expected.has(name)) found.push(`${name} is there and should not be`);
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
