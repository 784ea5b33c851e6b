import { type SchemaNode, schemaDefinition } from '@evenkeel/kinds/schemas';
import { goText, goTypeOf, isJsonObject, type JsonObject, jsonKindOf, setKey, valueAt } from '../apimachinery/index.ts';
import { badPatch, patchFailed } from './patch-refusal.ts';
import { mergeList, orderList } from './strategic-list.ts';

/**
 * Applies a strategic merge patch by the patch strategies and merge keys of `schema`, the kind's schema. The original is
 * not changed; what the patch does not touch is shared with it.
 *
 * Directives: `$patch: replace | delete` in an object or a list's element, `$retainKeys`, `$deleteFromPrimitiveList/x` and
 * `$setElementOrder/x`. As in the real server, a directive inside a value that the original does not have yet is not
 * carried out: an object with `$patch` is left out, the others stay as plain keys.
 *
 * Difference from apimachinery's `strategicpatch`: field names are not matched case-insensitively.
 *
 * @throws StatusError 400 when the patch is not an object or a directive is malformed, 422 for lists of lists, and, as the
 *   server answers, 500 for an unknown directive, a missing merge key or lists of mixed types.
 */
export function applyStrategicMergePatch(original: JsonObject, patch: unknown, schema: SchemaNode): JsonObject {
  if (patch === null) return original;
  if (!isJsonObject(patch)) {
    throw badPatch(`json: cannot unmarshal ${jsonKindOf(patch)} into Go value of type map[string]interface {}`);
  }
  return mergeObject(original, patch, schema);
}

const patchDirective = '$patch';
const retainKeysDirective = '$retainKeys';
const deleteFromListPrefix = '$deleteFromPrimitiveList';
const setOrderPrefix = '$setElementOrder';

/** Merges `patch`, an object at a node of the schema, into `original`. */
export function mergeObject(original: JsonObject, patch: JsonObject, schema: SchemaNode | undefined): JsonObject {
  if (Object.hasOwn(patch, patchDirective)) return replaced(patch);
  const merged = retainedKeys(original, patch);
  const done = orderedLists(merged, patch, schema);
  for (const key of Object.keys(patch)) {
    if (key === retainKeysDirective || done.has(key)) continue;
    const deletes = key.startsWith(deleteFromListPrefix);
    const field = deletes ? fieldOfDirective(key, deleteFromListPrefix) : key;
    mergeField(merged, field, patch[key], schema, deletes);
  }
  return merged;
}

function replaced(patch: JsonObject): JsonObject {
  const directive = patch[patchDirective];
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw unknownDirective(directive, patch);
  const { [patchDirective]: _, ...rest } = patch;
  return rest;
}

export function unknownDirective(directive: unknown, patch: JsonObject): Error {
  return patchFailed(`unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);
}

function mergeField(
  merged: JsonObject,
  field: string,
  value: unknown,
  schema: SchemaNode | undefined,
  deletes: boolean,
): void {
  if (value === null) {
    delete merged[field];
    return;
  }
  const current = valueAt(merged, field);
  if (isJsonObject(current) && isJsonObject(value)) {
    const node = patchedField(schema, field);
    const replaces = strategyOf(node) === 'replace';
    setKey(merged, field, replaces ? value : mergeObject(current, value, node));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const node = patchedField(schema, field);
    const merges = deletes || strategyOf(node) === 'merge';
    setKey(merged, field, merges ? mergeList(current, value, node, deletes) : value);
  } else if (!deletes) {
    const clean = withoutDirectives(value);
    if (clean === undefined) delete merged[field];
    else setKey(merged, field, clean);
  }
}

/** A copy of the original with only the keys that `$retainKeys` names, or with all of them where there is no directive. */
function retainedKeys(original: JsonObject, patch: JsonObject): JsonObject {
  if (!Object.hasOwn(patch, retainKeysDirective)) return { ...original };
  const listed = patch[retainKeysDirective];
  if (!Array.isArray(listed)) throw badPatch('invalid patch format of retainKeys');
  const retained = new Set<unknown>(listed);
  for (const key of Object.keys(patch)) {
    if (key === retainKeysDirective || key.startsWith(deleteFromListPrefix) || key.startsWith(setOrderPrefix)) continue;
    if (patch[key] !== null && !retained.has(key)) throw badPatch('invalid patch format of retainKeys');
  }
  const kept: JsonObject = {};
  for (const key of Object.keys(original)) if (retained.has(key)) setKey(kept, key, original[key]);
  return kept;
}

/** Carries out every `$setElementOrder/x` together with the patch's list `x`; returns the keys that are dealt with. */
function orderedLists(merged: JsonObject, patch: JsonObject, schema: SchemaNode | undefined): Set<string> {
  const done = new Set<string>();
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(setOrderPrefix)) continue;
    done.add(key);
    const order = requireList(patch[key]);
    const field = fieldOfDirective(key, setOrderPrefix);
    const current = valueAt(merged, field);
    const change = valueAt(patch, field);
    const currentList = current === undefined ? undefined : requireList(current);
    const changeList = change === undefined ? undefined : requireList(change);
    const node = patchedField(schema, field);
    const list = orderList(currentList, changeList, order, node, strategyOf(node) === 'merge');
    if (list === undefined) continue;
    setKey(merged, field, list);
    done.add(field);
  }
  return done;
}

function requireList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw patchFailed(`expected a []interface {}, but received a ${goTypeOf(value)}`);
}

function fieldOfDirective(key: string, prefix: string): string {
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1);
  const what = prefix === setOrderPrefix ? 'setElementOrder list' : 'primitive list';
  throw badPatch(`invalid patch format of ${what}`);
}

function patchedField(schema: SchemaNode | undefined, field: string): SchemaNode {
  const properties = schema?.properties;
  if (properties === undefined) {
    throw patchFailed('merging an object in json but data type is not struct, instead is: map');
  }
  const node = Object.hasOwn(properties, field) ? properties[field] : undefined;
  if (node === undefined) {
    const struct = schema?.[schemaDefinition]?.split('.').at(-1) ?? '';
    throw patchFailed(`unable to find api field in struct ${struct} for the json field "${field}"`);
  }
  return node;
}

function strategyOf(node: SchemaNode): string {
  const strategies = (node['x-kubernetes-patch-strategy'] ?? '').split(',');
  return strategies.find((strategy) => strategy !== 'retainKeys') ?? '';
}

/** The value as it enters an object that had none there: without nulls and objects with `$patch`; undefined when it is one. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, patchDirective)) return undefined;
  const clean: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key] === null ? undefined : withoutDirectives(value[key]);
    if (item !== undefined) setKey(clean, key, item);
  }
  return clean;
}
