import type { SchemaNode } from '@evenkeel/kinds/schemas';
import { goText, goTypeOf, isJsonObject, type JsonObject, valueAt } from '../apimachinery/index.ts';
import { patchDoesNotApply, patchFailed } from './patch-refusal.ts';
import { mergeObject, unknownDirective, withoutDirectives } from './strategic-merge-patch.ts';

/**
 * Merges a patch's list into the original's: objects by their merge key, primitives as a set. What the patch names stands
 * in the patch's order, the rest in the original's, and the two are interleaved by the original's order.
 */
export function mergeList(original: unknown[], patch: unknown[], node: SchemaNode, deletes: boolean): unknown[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (elementTypeOf(original, patch) !== 'map[string]interface {}') {
    if (deletes) {
      const gone = new Set(patch);
      return original.filter((item) => !gone.has(item));
    }
    return inOrder([...new Set([...original, ...patch])], patch, original, undefined);
  }
  const key = node['x-kubernetes-patch-merge-key'];
  if (key === undefined) throw patchFailed('cannot merge lists without merge key for map');
  const { remaining, changes } = carryOutDirectives(original, patch, key);
  return inOrder(mergeElements(remaining, changes, key, node.items), changes, remaining, key);
}

/**
 * The list that `$setElementOrder` asks for, made of the original's list and the patch's, either of which may be missing.
 * Undefined where both are.
 */
export function orderList(
  original: unknown[] | undefined,
  patch: unknown[] | undefined,
  order: unknown[],
  node: SchemaNode,
  merges: boolean,
): unknown[] | undefined {
  const key = node['x-kubernetes-patch-merge-key'];
  checkOrder(patch ?? [], order, key);
  let merged: unknown[];
  if (original === undefined) {
    if (patch === undefined) return undefined;
    merged = patch.map(withoutDirectives).filter((item) => item !== undefined);
  } else if (patch === undefined) {
    merged = original;
  } else {
    merged = merges ? mergeList(original, patch, node, false) : patch;
  }
  elementTypeOf(original ?? [], patch ?? []);
  return inOrder(merged, order, original ?? [], key);
}

/** The elements of the patch must stand in the order of the `$setElementOrder` list, and all of them in it. */
function checkOrder(patch: unknown[], order: unknown[], key: string | undefined): void {
  if (patch.length === 0 || order.length === 0) return;
  const named = key === undefined ? patch : patch.filter((item) => !Object.hasOwn(requireObject(item), '$patch'));
  let next = 0;
  for (let i = 0; i < order.length && next < named.length; i++) {
    if (identityOf(named[next], key) === identityOf(order[i], key)) next++;
  }
  if (next < named.length) {
    const lists = [goText(patch), goText(order)];
    throw patchFailed(`The order in patch list:\n${lists[0]}\n doesn't match $setElementOrder list:\n${lists[1]}\n`);
  }
}

function carryOutDirectives(
  original: unknown[],
  patch: unknown[],
  key: string,
): { remaining: unknown[]; changes: unknown[] } {
  const changes: unknown[] = [];
  const gone = new Set<unknown>();
  let replaces = false;
  for (const item of patch) {
    const object = requireObject(item);
    if (!Object.hasOwn(object, '$patch')) {
      changes.push(object);
      continue;
    }
    const directive = object['$patch'];
    if (directive === 'delete') gone.add(identityOf(object, key));
    else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') throw patchFailed('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, object);
  }
  if (replaces) return { remaining: changes, changes: [] };
  if (gone.size === 0) return { remaining: original, changes };
  return { remaining: original.filter((item) => !gone.has(valueAt(requireObject(item), key))), changes };
}

function mergeElements(original: unknown[], patch: unknown[], key: string, schema: SchemaNode | undefined): unknown[] {
  const merged = [...original];
  const places = new Map<unknown, number>();
  for (let i = original.length - 1; i >= 0; i--) places.set(valueAt(requireObject(original[i]), key), i);
  for (const change of patch) {
    const identity = identityOf(change, key);
    const place = places.get(identity);
    if (place === undefined) {
      places.set(identity, merged.length);
      merged.push(change);
    } else {
      merged[place] = mergeObject(requireObject(merged[place]), requireObject(change), schema);
    }
  }
  return merged;
}

/** `items` with those that `order` names in its order and the others, by the server's own order, in between. */
function inOrder(items: unknown[], order: unknown[], serverOrder: unknown[], key: string | undefined): unknown[] {
  const placeInOrder = placesOf(order, key);
  const placeOnServer = placesOf(serverOrder, key);
  const identities = new Map<unknown, unknown>(items.map((item) => [item, identityOf(item, key)]));
  const place = (places: Map<unknown, number>, item: unknown) => places.get(identities.get(item));
  const byPlace = (places: Map<unknown, number>) => (a: unknown, b: unknown) =>
    (place(places, a) ?? 0) - (place(places, b) ?? 0);
  const named = items.filter((item) => place(placeInOrder, item) !== undefined).sort(byPlace(placeInOrder));
  const others = items.filter((item) => place(placeInOrder, item) === undefined).sort(byPlace(placeOnServer));

  const sorted: unknown[] = [];
  let next = 0;
  for (const item of named) {
    const limit = place(placeOnServer, item);
    while (next < others.length && limit !== undefined) {
      const other = place(placeOnServer, others[next]);
      if (other === undefined || other >= limit) break;
      sorted.push(others[next++]);
    }
    sorted.push(item);
  }
  return [...sorted, ...others.slice(next)];
}

function placesOf(list: unknown[], key: string | undefined): Map<unknown, number> {
  const places = new Map<unknown, number>();
  for (let i = list.length - 1; i >= 0; i--) places.set(identityOf(list[i], key), i);
  return places;
}

/** What makes an element the same element: its merge key's value, or, for primitives, itself. */
function identityOf(item: unknown, key: string | undefined): unknown {
  if (key === undefined) return item;
  const object = requireObject(item);
  if (Object.hasOwn(object, key)) return object[key];
  throw patchFailed(`map: ${goText(object)} does not contain declared merge key: ${key}`);
}

function requireObject(item: unknown): JsonObject {
  if (isJsonObject(item)) return item;
  throw patchFailed(`expected a map[string]interface {}, but received a ${goTypeOf(item)}`);
}

function elementTypeOf(original: unknown[], patch: unknown[]): string {
  let type: string | undefined;
  for (const item of [...original, ...patch]) {
    const current = goTypeOf(item);
    if (type === undefined && current === '[]interface {}') throw patchDoesNotApply('lists of lists are not supported');
    type ??= current;
    if (type !== current) {
      throw patchFailed(`list element types are not identical: ${goText([original, patch])}`);
    }
  }
  if (type === undefined) throw patchFailed('no elements in any of the given slices');
  return type;
}
