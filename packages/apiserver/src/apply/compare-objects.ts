import { isJsonObject, type JsonObject, jsonEqual } from '../apimachinery/index.ts';
import type { FieldType, ListType, MapType } from './field-type.ts';
import { groupsOf } from './list-element.ts';
import type { PathElement } from './path-element.ts';
import { PathSet, type PathSetEntry } from './path-set.ts';
import { allPathsBelow } from './paths-of-object.ts';

/** Which paths differ between two objects. No path is in two of the sets. */
export interface Comparison {
  readonly added: PathSet;
  readonly modified: PathSet;
  readonly removed: PathSet;
}

/**
 * Compares two objects of a type. Parts that are the same value in memory are not walked.
 *
 * Difference from structured-merge-diff: what is equal in memory or lies in an atomic part is not validated on the way.
 *
 * @throws SchemaMismatch for a field or an element that the type has no place for.
 */
export function compareObjects(before: JsonObject, after: JsonObject, type: FieldType): Comparison {
  const { map } = type.shape;
  const difference = map === undefined ? undefined : compareFields(before, after, map);
  return {
    added: difference?.added ?? PathSet.empty,
    modified: difference?.modified ?? PathSet.empty,
    removed: difference?.removed ?? PathSet.empty,
  };
}

/** What differs at a value (`self`: the value, as one leaf) and below it. */
interface Difference {
  readonly self: boolean;
  readonly added: PathSet | undefined;
  readonly modified: PathSet | undefined;
  readonly removed: PathSet | undefined;
}

const leafDiffers: Difference = { self: true, added: undefined, modified: undefined, removed: undefined };

function compareValues(before: unknown, after: unknown, type: FieldType): Difference | undefined {
  if (before === after) return undefined;
  if (typeof before !== 'object' && typeof after !== 'object') return leafDiffers;
  const { shape } = type;
  const fields = isJsonObject(before) || isJsonObject(after) ? shape.map : undefined;
  const items = Array.isArray(before) || Array.isArray(after) ? shape.list : undefined;
  const byFields = fields && compareFields(objectOf(before), objectOf(after), fields);
  const byItems = items && compareItems(arrayOf(before), arrayOf(after), items);
  // A value that became another kind of value: its parts came and went, and it changed itself.
  const changedKind = before !== null && after !== null && kindOf(before) !== kindOf(after);
  if (changedKind) return combined(combined(byFields, byItems), leafDiffers);
  if (byFields !== undefined || byItems !== undefined) return byFields ?? byItems;
  if (isPartedBy(before, after, fields, items)) return undefined;
  return jsonEqual(before, after) ? undefined : leafDiffers;
}

/** Whether fields or items have been compared one by one, so that finding no difference means that there is none. */
function isPartedBy(before: unknown, after: unknown, fields?: MapType, items?: ListType): boolean {
  if (fields !== undefined) return !fields.atomic && !(isEmpty(before) && isEmpty(after));
  return items?.associative === true && !(isEmpty(before) && isEmpty(after));
}

function compareFields(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  map: MapType,
): Difference | undefined {
  if (map.atomic) return undefined;
  const level = new DifferenceLevel();
  for (const name in before) {
    const old = before[name];
    if (old === undefined || !Object.hasOwn(before, name)) continue;
    const current = after !== undefined && Object.hasOwn(after, name) ? after[name] : undefined;
    if (current === old) continue;
    const type = map.typeOf(name);
    if (current === undefined) level.remove(name, allPathsBelow(old, type));
    else level.change(name, compareValues(old, current, type));
  }
  for (const name in after) {
    const current = after[name];
    if (current === undefined || !Object.hasOwn(after, name)) continue;
    if (before !== undefined && Object.hasOwn(before, name) && before[name] !== undefined) continue;
    level.add(name, allPathsBelow(current, map.typeOf(name)));
  }
  return level.difference();
}

function compareItems(
  before: readonly unknown[] | undefined,
  after: readonly unknown[] | undefined,
  list: ListType,
): Difference | undefined {
  if (!list.associative) return undefined;
  const level = new DifferenceLevel();
  const oldGroups = groupsOf(before ?? [], list);
  const newGroups = groupsOf(after ?? [], list);
  for (const [identity, { element, items: old }] of oldGroups) {
    const current = newGroups.get(identity)?.items ?? [];
    if (old.length === 1 && current.length === 1)
      level.change(element, compareValues(old[0], current[0], list.element));
    else if (old.length === 1 && current.length === 0) level.remove(element, allPathsBelow(old[0], list.element));
    else level.changeDuplicates(element, old, current, list);
  }
  for (const [identity, { element, items }] of newGroups) {
    if (oldGroups.has(identity)) continue;
    level.add(element, items.length > 1 ? undefined : allPathsBelow(items[0], list.element));
  }
  return level.difference();
}

/** Gathers the differences of one map's fields or one list's elements. */
class DifferenceLevel {
  #added: PathSetEntry[] | undefined;
  #modified: PathSetEntry[] | undefined;
  #removed: PathSetEntry[] | undefined;

  add(element: PathElement, children: PathSet | undefined, member = true): void {
    this.#added ??= [];
    this.#added.push({ element, member, children });
  }

  remove(element: PathElement, children: PathSet | undefined, member = true): void {
    this.#removed ??= [];
    this.#removed.push({ element, member, children });
  }

  change(element: PathElement, difference: Difference | undefined): void {
    if (difference === undefined) return;
    if (difference.added !== undefined) this.add(element, difference.added, false);
    if (difference.removed !== undefined) this.remove(element, difference.removed, false);
    if (difference.self || difference.modified !== undefined) {
      this.#modified ??= [];
      this.#modified.push({ element, member: difference.self, children: difference.modified });
    }
  }

  /** Duplicates count as one leaf; between one item and several, the one's paths come or go as well. */
  changeDuplicates(element: PathElement, before: readonly unknown[], after: readonly unknown[], list: ListType): void {
    if (before.length > 1 && after.length > 1) {
      if (!jsonEqual(before, after)) this.change(element, leafDiffers);
    } else if (before.length > 1) {
      if (after.length === 1) this.add(element, allPathsBelow(after[0], list.element));
      this.remove(element, undefined);
    } else {
      this.remove(element, allPathsBelow(before[0], list.element));
      this.add(element, undefined);
    }
  }

  difference(): Difference | undefined {
    if (this.#added === undefined && this.#modified === undefined && this.#removed === undefined) return undefined;
    return {
      self: false,
      added: this.#added && PathSet.ofEntries(this.#added),
      modified: this.#modified && PathSet.ofEntries(this.#modified),
      removed: this.#removed && PathSet.ofEntries(this.#removed),
    };
  }
}

function combined(a: Difference | undefined, b: Difference | undefined): Difference | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    self: a.self || b.self,
    added: unionOf(a.added, b.added),
    modified: unionOf(a.modified, b.modified),
    removed: unionOf(a.removed, b.removed),
  };
}

function unionOf(a: PathSet | undefined, b: PathSet | undefined): PathSet | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a.union(b);
}

function objectOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function arrayOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function kindOf(value: unknown): 'map' | 'list' | 'scalar' {
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'map' : 'scalar';
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
