import { isJsonObject, type JsonObject, setKey } from '../apimachinery/index.ts';
import type { FieldType, ListType, MapType } from './field-type.ts';
import { elementOf } from './list-element.ts';
import { identityOf } from './path-element.ts';

/**
 * The live object with everything that the applied one says. Nothing is removed. Where the applied object changes nothing
 * in a part, the live part itself is returned.
 *
 * @throws SchemaMismatch for a list's element without a key.
 */
export function mergeObjects(live: JsonObject, applied: JsonObject, type: FieldType): JsonObject {
  const { map } = type.shape;
  return map === undefined ? applied : (mergeFields(live, applied, map) as JsonObject);
}

function mergeValues(live: unknown, applied: unknown, type: FieldType): unknown {
  if (live === undefined || live === applied) return applied;
  const { map, list } = type.shape;
  if (Array.isArray(applied)) {
    return list === undefined ? applied : mergeItems(Array.isArray(live) ? live : [], applied, list, live);
  }
  if (isJsonObject(applied)) return map === undefined ? applied : mergeFields(live, applied, map);
  if (applied === null) return keepsUnderNull(live, type) ? live : null;
  return applied;
}

/** A null says nothing about the fields or elements of a granular value that has some: they stay. */
function keepsUnderNull(live: unknown, type: FieldType): boolean {
  const { map, list, scalar } = type.shape;
  if (isJsonObject(live)) return map !== undefined && !map.atomic && Object.keys(live).length > 0;
  if (!Array.isArray(live) || map !== undefined || scalar !== undefined) return false;
  return list?.associative === true && live.length > 0;
}

function mergeFields(live: unknown, applied: JsonObject, map: MapType): unknown {
  const base = isJsonObject(live) ? live : undefined;
  const names = Object.keys(applied);
  if (map.atomic || base === undefined) return applied;
  if (names.length === 0) return Object.keys(base).length === 0 ? applied : base;
  let merged: JsonObject | undefined;
  for (const name of names) {
    const current = Object.hasOwn(base, name) ? base[name] : undefined;
    const value = mergeValues(current, applied[name], map.typeOf(name));
    if (value === current) continue;
    merged ??= { ...base };
    setKey(merged, name, value);
  }
  return merged ?? base;
}

/**
 * Merges associative lists. The applied list's elements keep their order; the live list's others stay where they are
 * relative to the elements both have, as in structured-merge-diff's `mergingWalker.visitListItems`.
 */
function mergeItems(live: readonly unknown[], applied: unknown[], list: ListType, original: unknown): unknown {
  if (!list.associative) return applied;
  if (live.length === 0) return applied;
  if (applied.length === 0) return original;
  const appliedItems = identified(applied, list);
  const liveItems = identified(live, list);
  const inApplied = new Map(appliedItems.map(({ identity, item }) => [identity, item]));
  const inLive = new Map<unknown, unknown>();
  // Duplicates are not merged with what is applied over them.
  for (const { identity, item } of liveItems) inLive.set(identity, inLive.has(identity) ? null : item);

  const shared = appliedItems.map(({ identity }) => identity).filter((identity) => inLive.has(identity));
  const merge = (identity: unknown) => mergeValues(inLive.get(identity), inApplied.get(identity), list.element);
  const merged: unknown[] = [];
  const done = new Set<unknown>();
  let nextShared = 0;
  let l = 0;
  let a = 0;
  while (l < liveItems.length || a < appliedItems.length) {
    const left = liveItems[l];
    const right = appliedItems[a];
    if (left !== undefined && right !== undefined) {
      if (left.identity === right.identity) {
        merged.push(merge(right.identity));
        done.add(right.identity);
        l++;
        a++;
        nextShared++;
        continue;
      }
      const wanted = nextShared < shared.length;
      if (inApplied.has(left.identity) && wanted && shared[nextShared] !== left.identity) {
        l++;
        continue;
      }
    }
    if (left !== undefined) {
      if (!inApplied.has(left.identity)) {
        merged.push(left.item);
        l++;
        continue;
      }
      if (done.has(left.identity)) l++;
    }
    if (right !== undefined) {
      merged.push(merge(right.identity));
      done.add(right.identity);
      a++;
      if (nextShared < shared.length && shared[nextShared] === right.identity) nextShared++;
    }
  }
  const unchanged = merged.length === live.length && merged.every((item, i) => item === live[i]);
  return unchanged ? original : merged;
}

function identified(items: readonly unknown[], list: ListType): { identity: unknown; item: unknown }[] {
  return items.map((item) => ({ identity: identityOf(elementOf(item, list)), item }));
}
