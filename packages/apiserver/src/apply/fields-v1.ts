import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../apimachinery/index.ts';
import { IndexElement, KeyElement, type PathElement, ValueElement } from './path-element.ts';
import { PathSet, type PathSetEntry } from './path-set.ts';

/**
 * The content of `metadata.managedFields[].fieldsV1`: a trie of `f:<name>`, `k:<keys>`, `v:<value>`, `i:<index>` and
 * `.`.
 */
export type FieldsV1 = JsonObject;

/**
 * The encodings that objects share, by their text, with the sets that they encode. The objects of a kind have few different ones, and each
 * of its own would be a quarter of an object's memory.
 */
const shared = new Map<string, FieldsV1>();
const setsOfShared = new WeakMap<FieldsV1, PathSet>();
const sharedMax = 1000;
const sharedLengthMax = 4096;
/** The text of a set with more paths is too long: each one takes at least the characters of `"f:a":{}`. */
const sharedPathsMax = sharedLengthMax / 8;

/** Encodes a set as FieldsV1, with keys in the server's order. The result may be frozen. */
export function encodeFieldsV1(set: PathSet): FieldsV1 {
  const fields = encodeLevel(set, false);
  if (hasMore(set, sharedPathsMax)) return fields;
  const text = JSON.stringify(fields);
  const known = shared.get(text);
  if (known !== undefined) return known;
  if (text.length > sharedLengthMax) return fields;
  if (shared.size === sharedMax) shared.clear();
  freeze(fields);
  shared.set(text, fields);
  setsOfShared.set(fields, set);
  return fields;
}

/** Whether a set has more paths than `count`. Looks at no more than that. */
function hasMore(set: PathSet, count: number): boolean {
  const open = [set];
  let seen = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    seen += next.entries.length;
    if (seen > count) return true;
    for (const { children } of next.entries) if (children !== undefined) open.push(children);
  }
  return false;
}

function freeze(fields: FieldsV1): void {
  for (const below of Object.values(fields)) freeze(below as FieldsV1);
  Object.freeze(fields);
}

function encodeLevel(set: PathSet, self: boolean): FieldsV1 {
  const fields: FieldsV1 = {};
  if (self) fields['.'] = {};
  for (const { element, member, children } of set.entries) {
    fields[encodeElement(element)] = children === undefined ? {} : encodeLevel(children, member);
  }
  return fields;
}

function encodeElement(element: PathElement): string {
  if (typeof element === 'string') return `f:${element}`;
  if (element instanceof ValueElement) return `v:${stringifyJson(element.value)}`;
  if (element instanceof IndexElement) return `i:${element.index}`;
  const pairs = element.names.map((name, i) => `${stringifyJson(name)}:${stringifyJson(element.values[i])}`);
  return `k:{${pairs.join(',')}}`;
}

/**
 * Decodes FieldsV1. Drops elements of unknown kinds with all their content, as upstream does.
 *
 * @throws Error for anything that is not FieldsV1.
 */
export function decodeFieldsV1(fields: unknown): PathSet {
  if (fields === undefined || fields === null) return PathSet.empty;
  if (!isJsonObject(fields)) throw new Error('fieldsV1 is not an object');
  const known = setsOfShared.get(fields);
  if (known !== undefined) return known;
  const entries: PathSetEntry[] = [];
  for (const key of Object.keys(fields)) {
    if (key === '.') continue;
    const element = decodeElement(key);
    if (element === undefined) continue;
    const below = fields[key];
    const children = decodeFieldsV1(below);
    const isLeaf = children.isEmpty;
    const member = isLeaf || (isJsonObject(below) && Object.hasOwn(below, '.'));
    entries.push({ element, member, children: isLeaf ? undefined : children });
  }
  return PathSet.ofEntries(entries);
}

function decodeElement(key: string): PathElement | undefined {
  if (key.length < 2) throw new Error('key must be 2 characters long:');
  if (key[1] !== ':') throw new Error(`missing colon: ${key}`);
  const content = key.slice(2);
  switch (key[0]) {
    case 'f':
      return content;
    case 'v':
      return new ValueElement(parseJson(content));
    case 'k':
      return decodeKey(parseJson(content));
    case 'i':
      return decodeIndex(content);
    default:
      return undefined;
  }
}

function decodeKey(pairs: unknown): KeyElement {
  if (!isJsonObject(pairs)) throw new Error('the key of a list element is not an object');
  const names = Object.keys(pairs).sort();
  return new KeyElement(
    names,
    names.map((name) => pairs[name]),
  );
}

function decodeIndex(content: string): IndexElement {
  const index = Number(content);
  if (content === '' || !Number.isInteger(index)) throw new Error(`"${content}" is not an index`);
  return new IndexElement(index);
}
