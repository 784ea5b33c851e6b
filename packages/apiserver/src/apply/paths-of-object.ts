import type { SchemaNode } from '@evenkeel/kinds/schemas';
import { isJsonObject, type JsonObject } from '../apimachinery/index.ts';
import { type FieldType, fieldTypeOf, type ListType, type MapType } from './field-type.ts';
import { elementOf, groupsOf } from './list-element.ts';
import { compareElements } from './path-element.ts';
import { PathSet, type PathSetEntry } from './path-set.ts';

/**
 * The paths that an applied object claims: its leaves, list elements and the keys of free maps, but not the fields above
 * them.
 *
 * @throws SchemaMismatch where a list's element has no key.
 */
export function pathSetOf(object: JsonObject, schema: SchemaNode): PathSet {
  return claimedPaths(object, fieldTypeOf(schema)).below ?? PathSet.empty;
}

interface Claim {
  /** The value is a leaf: its own path is claimed. */
  readonly self: boolean;
  readonly below: PathSet | undefined;
}

const leaf: Claim = { self: true, below: undefined };
const nothing: Claim = { self: false, below: undefined };

function claimedPaths(value: unknown, type: FieldType): Claim {
  const { map, list, scalar } = type.shape;
  if (Array.isArray(value) && list !== undefined) return claimedItems(value, list);
  if (isJsonObject(value) && map !== undefined) return claimedFields(value, map);
  if (value !== null && scalar !== undefined) return leaf;
  // A null, or a value of a kind the schema does not name, which validation has refused before.
  if (map !== undefined) return map.atomic ? leaf : nothing;
  return scalar !== undefined || list?.associative === false ? leaf : nothing;
}

function claimedFields(object: JsonObject, map: MapType): Claim {
  if (map.atomic) return leaf;
  const entries: PathSetEntry[] = [];
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value === undefined) continue;
    const declared = map.fields.get(name);
    const type = declared ?? map.element;
    const { self, below } = type === undefined ? leaf : claimedPaths(value, type);
    const member = self || declared === undefined || value === null || isEmptyObject(value);
    if (member || below !== undefined) entries.push({ element: name, member, children: below });
  }
  return { self: false, below: entries.length === 0 ? undefined : PathSet.ofEntries(entries) };
}

function claimedItems(items: unknown[], list: ListType): Claim {
  if (!list.associative) return leaf;
  const entries: PathSetEntry[] = [];
  for (const { element, items: same } of groupsOf(items, list).values()) {
    const children = same.length > 1 ? undefined : claimedPaths(same[0], list.element).below;
    entries.push({ element, member: true, children });
  }
  return { self: false, below: entries.length === 0 ? undefined : PathSet.ofEntries(entries) };
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/**
 * Every path below a value, those above the leaves included: what comes or goes when the whole value does. Undefined for
 * a leaf. A list's duplicates count as one path without anything below.
 *
 * @throws SchemaMismatch for a field or an element that the schema has no place for.
 */
export function allPathsBelow(value: unknown, type: FieldType): PathSet | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { map, list } = type.shape;
  const entries: PathSetEntry[] = [];
  if (Array.isArray(value)) {
    if (list?.associative !== true) return undefined;
    for (const item of value) {
      entries.push({ element: elementOf(item, list), member: true, children: allPathsBelow(item, list.element) });
    }
    return entries.length === 0 ? undefined : withoutDuplicates(PathSet.ofEntries(entries));
  }
  if (map === undefined || map.atomic) return undefined;
  const object = value as JsonObject;
  for (const name of Object.keys(object)) {
    const item = object[name];
    if (item === undefined) continue;
    entries.push({ element: name, member: true, children: allPathsBelow(item, map.typeOf(name)) });
  }
  return entries.length === 0 ? undefined : PathSet.ofEntries(entries);
}

function withoutDuplicates(set: PathSet): PathSet {
  const { entries } = set;
  const isSame = (a: PathSetEntry | undefined, b: PathSetEntry | undefined) =>
    a !== undefined && b !== undefined && compareElements(a.element, b.element) === 0;
  if (!entries.some((entry, i) => isSame(entry, entries[i + 1]))) return set;
  const unique: PathSetEntry[] = [];
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as PathSetEntry;
    if (isSame(entry, entries[i - 1])) continue;
    unique.push(isSame(entry, entries[i + 1]) ? { ...entry, children: undefined } : entry);
  }
  return PathSet.ofEntries(unique);
}
