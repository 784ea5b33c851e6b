import type { SchemaNode } from '@evenkeel/kinds/schemas';
import { isJsonObject, type JsonObject, setKey } from '../apimachinery/index.ts';
import { type FieldType, fieldTypeOf, type ListType, type MapType } from './field-type.ts';
import { elementOf } from './list-element.ts';
import { PathSet, type PathSetEntry } from './path-set.ts';

/**
 * The object without the fields and list elements of `set`. A value that loses all that was in it, or an atomic one of
 * which only a part should go, becomes null, as in structured-merge-diff's `RemoveItems`. What loses nothing is shared.
 */
export function removeFields(object: JsonObject, set: PathSet, type: FieldType): JsonObject {
  return (removeWithin(object, set, type) ?? {}) as JsonObject;
}

function removeWithin(value: unknown, set: PathSet, type: FieldType): unknown {
  const { map, list } = type.shape;
  if (isJsonObject(value) && map !== undefined) return removeFromMap(value, set, map);
  if (Array.isArray(value) && list !== undefined) return removeFromList(value, set, list);
  return value;
}

function removeFromMap(object: JsonObject, set: PathSet, map: MapType): unknown {
  if (map.atomic) return null;
  let reduced: JsonObject | undefined;
  for (const { element, member, children } of set.entries) {
    if (typeof element !== 'string' || !Object.hasOwn(object, element)) continue;
    if (member) {
      reduced ??= { ...object };
      delete reduced[element];
    } else if (children !== undefined) {
      const value = removeWithin(object[element], children, map.typeOf(element));
      if (value === object[element]) continue;
      reduced ??= { ...object };
      setKey(reduced, element, value);
    }
  }
  const left = reduced ?? object;
  return Object.keys(left).length === 0 ? null : left;
}

function removeFromList(items: unknown[], set: PathSet, list: ListType): unknown {
  if (!list.associative) return null;
  const left: unknown[] = [];
  let changed = false;
  for (const item of items) {
    const entry = set.entry(elementOf(item, list));
    if (entry?.member === true) {
      changed = true;
      continue;
    }
    const value = entry?.children === undefined ? item : removeWithin(item, entry.children, list.element);
    changed ||= value !== item;
    left.push(value);
  }
  if (left.length === 0) return null;
  return changed ? left : items;
}

/**
 * The part of an object that `set` names: its fields, list elements and, of atomic values, the whole. Keys of list
 * elements are only there if the set names them. Undefined where nothing of it is there.
 */
export function extractFields(object: JsonObject, set: PathSet, schema: SchemaNode): JsonObject | undefined {
  const extracted = extractWithin(object, set, fieldTypeOf(schema));
  return isJsonObject(extracted) ? extracted : undefined;
}

function extractWithin(value: unknown, set: PathSet, type: FieldType): unknown {
  const { map, list } = type.shape;
  if (isJsonObject(value) && map !== undefined && !map.atomic) return extractFromMap(value, set, map);
  if (Array.isArray(value) && list?.associative === true) return extractFromList(value, set, list);
  return value;
}

function extractFromMap(object: JsonObject, set: PathSet, map: MapType): unknown {
  if (Object.keys(object).length === 0) return object;
  const extracted: JsonObject = {};
  for (const { element, member, children } of set.entries) {
    if (typeof element !== 'string' || !Object.hasOwn(object, element)) continue;
    const value = extractMember(object[element], member, children, map.typeOf(element));
    if (value !== undefined) setKey(extracted, element, value);
  }
  return Object.keys(extracted).length === 0 ? undefined : extracted;
}

function extractFromList(items: unknown[], set: PathSet, list: ListType): unknown {
  if (items.length === 0) return items;
  const extracted: unknown[] = [];
  for (const item of items) {
    const entry = set.entry(elementOf(item, list));
    const value = entry && extractMember(item, entry.member, entry.children, list.element);
    if (value !== undefined) extracted.push(value);
  }
  return extracted.length === 0 ? undefined : extracted;
}

function extractMember(value: unknown, member: boolean, children: PathSet | undefined, type: FieldType): unknown {
  if (children !== undefined) return extractWithin(value, children, type);
  return member ? value : undefined;
}

/**
 * The set with every field above one of its paths that the schema names, but not list elements or keys of free maps:
 * what has to go for a removed path must not leave its empty surroundings behind.
 */
export function withNamedParents(set: PathSet, type: FieldType | undefined): PathSet {
  const map = type?.shape.map;
  const list = type?.shape.list;
  let changed = false;
  const entries = set.entries.map((entry): PathSetEntry => {
    if (entry.children === undefined) return entry;
    const isName = typeof entry.element === 'string';
    const below = isName ? map && (map.fields.get(entry.element as string) ?? map.element) : list?.element;
    const children = withNamedParents(entry.children, below);
    const member = entry.member || (isName && map?.fields.has(entry.element as string) === true);
    if (member === entry.member && children === entry.children) return entry;
    changed = true;
    return { element: entry.element, member, children };
  });
  return changed ? PathSet.ofEntries(entries) : set;
}

/**
 * The set as it stands after parts of the schema have become atomic: paths below such a part are the part's own path now.
 */
export function withoutPathsInAtomic(set: PathSet, type: FieldType | undefined): PathSet {
  if (type === undefined) return set;
  const { map, list } = type.shape;
  let changed = false;
  const entries = set.entries.map((entry): PathSetEntry => {
    if (entry.children === undefined) return entry;
    const isName = typeof entry.element === 'string';
    const below = isName ? map && (map.fields.get(entry.element as string) ?? map.element) : list?.element;
    if (below !== undefined && isAtomic(below)) {
      changed = true;
      return { element: entry.element, member: true, children: undefined };
    }
    const children = withoutPathsInAtomic(entry.children, below);
    if (children === entry.children) return entry;
    changed = true;
    return { element: entry.element, member: entry.member, children };
  });
  return changed ? PathSet.ofEntries(entries) : set;
}

function isAtomic(type: FieldType): boolean {
  const { map, list, scalar } = type.shape;
  if (map !== undefined) return map.atomic;
  return scalar === undefined && list?.associative === false;
}
