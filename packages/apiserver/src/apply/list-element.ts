import { isJsonObject, valueAt } from '../apimachinery/index.ts';
import { type ListType, SchemaMismatch } from './field-type.ts';
import { identityOf, KeyElement, type PathElement, ValueElement } from './path-element.ts';

/**
 * How an associative list tells this element from the others. A key that is missing counts with its default; without one
 * its absence is part of the key.
 *
 * @throws SchemaMismatch for an element that no key fits.
 */
export function elementOf(item: unknown, list: ListType): PathElement {
  if (list.keys.length === 0) return elementOfSet(item);
  if (item === null) throw new SchemaMismatch('associative list with keys may not have a null element');
  if (!isJsonObject(item)) throw new SchemaMismatch('associative list with keys may not have non-map elements');
  const values: unknown[] = [];
  let present: string[] | undefined;
  for (let i = 0; i < list.keys.length; i++) {
    const key = list.keys[i] as string;
    const value = valueAt(item, key) ?? (Object.hasOwn(item, key) ? null : list.keyDefaults[i]);
    if (value !== undefined) {
      values.push(value);
      present?.push(key);
    } else {
      present ??= list.keys.slice(0, i);
    }
  }
  if (values.length === 0) {
    const keys = list.declaredKeys.map((key) => JSON.stringify(key)).join(' ');
    const without = "(and doesn't have default values for any key fields)";
    throw new SchemaMismatch(
      `associative list with keys has an element that omits all key fields [${keys}] ${without}`,
    );
  }
  return new KeyElement(present ?? list.keys, values);
}

function elementOfSet(item: unknown): PathElement {
  if (item === null) throw new SchemaMismatch("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item)) throw new SchemaMismatch('not supported: associative list with lists as elements');
  if (typeof item === 'object')
    throw new SchemaMismatch("associative list without keys has an element that's a map type");
  return new ValueElement(item);
}

/** The items of an associative list that share an element, in the list's order. More than one are duplicates. */
export interface ListGroup {
  readonly element: PathElement;
  readonly items: unknown[];
}

/** The groups of a list by identity, in the order of their first item. */
export function groupsOf(items: readonly unknown[], list: ListType): Map<unknown, ListGroup> {
  const groups = new Map<unknown, ListGroup>();
  for (const item of items) {
    const element = elementOf(item, list);
    const identity = identityOf(element);
    const group = groups.get(identity);
    if (group === undefined) groups.set(identity, { element, items: [item] });
    else group.items.push(item);
  }
  return groups;
}
