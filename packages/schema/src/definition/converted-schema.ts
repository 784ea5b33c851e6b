import { copyJson } from '@evenkeel/apimachinery/json';
import type { CheckedConversion, FieldMove, PathStep } from '@evenkeel/core/conversion';
import type { ComparedVersion } from '../diff/compare-versions.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';

type Scale = NonNullable<ComparedVersion['scale']>;
type MutableSchema = { -readonly [K in keyof StructuralSchema]: StructuralSchema[K] };

/** The schema at a path, or why there is none. */
export type SchemaAtPath =
  | { readonly is: 'found'; readonly schema: StructuralSchema }
  | { readonly is: 'missing'; readonly name: string; readonly known: readonly string[] }
  /** The schema does not describe the value. */
  | { readonly is: 'open' };

/** Follows a path such as `spec.ports[*].name`. */
export function schemaAtPath(root: StructuralSchema, steps: readonly PathStep[]): SchemaAtPath {
  let schema = root;
  for (const { name, each } of steps) {
    const { properties = {} } = schema;
    const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.type === undefined;
    const next = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (next === undefined && isOpen) return { is: 'open' };
    if (next === undefined) return { is: 'missing', name, known: Object.keys(properties) };
    if (each && next.items === undefined) return { is: 'missing', name: `${name}[*]`, known: [] };
    schema = each ? (next.items ?? {}) : next;
  }
  return { is: 'found', schema };
}

/** Whether each object has a value at the path, by `required` or defaults. */
export function isAlwaysPresent(root: StructuralSchema, steps: readonly PathStep[]): boolean {
  let schema: StructuralSchema | undefined = root;
  for (const { name, each } of steps) {
    const next: StructuralSchema | undefined = schema?.properties?.[name];
    if (schema?.required?.includes(name) !== true && next?.default === undefined) return false;
    schema = each ? next?.items : next;
  }
  return true;
}

/** The schema of a version as its objects appear in the hub, without the fields that only one of the two has. */
export function spokeSchemaInHub(
  schema: StructuralSchema,
  { moves, keep }: Pick<CheckedConversion, 'moves' | 'keep'>,
): StructuralSchema {
  const root = copyJson(schema) as MutableSchema;
  for (const path of keep.spoke) take(root, path);
  // In the elements of inner lists first, then in those of the lists around them, as in the conversion of objects.
  for (const [, inLists] of [...Map.groupBy(moves, ({ from }) => from.filter(({ each }) => each).length)].sort(
    ([one], [other]) => other - one,
  )) {
    moveFields(
      root,
      inLists.map(({ from, to }) => ({ from, to: [...listOf(from), ...belowList(to)] })),
    );
  }
  return root;
}

/** The paths of the scale subresource of a version as the hub names its fields. They lead through no lists. */
export function scaleInHub(scale: Scale, { moves }: CheckedConversion): Scale {
  const textOf = (steps: readonly PathStep[]): string => steps.map(({ name }) => `.${name}`).join('');
  // A field can be in an object that is moved too; the move of the field itself comes first.
  const moved = moves
    .filter(({ from }) => !from.some(({ each }) => each))
    .map(({ from, to }) => ({ from: textOf(from), to: textOf(to) }))
    .toSorted((one, other) => other.from.length - one.from.length);
  const inHub = (path: string): string => {
    const move = moved.find(({ from }) => path === from || path.startsWith(`${from}.`));
    return move === undefined ? path : `${move.to}${path.slice(move.from.length)}`;
  };
  return Object.fromEntries(Object.entries(scale).map(([name, path]) => [name, inHub(path)]));
}

/** The schema of the hub without the fields that only it has. */
export function hubSchemaWithout(
  schema: StructuralSchema,
  { keep }: Pick<CheckedConversion, 'keep'>,
): StructuralSchema {
  const root = copyJson(schema) as MutableSchema;
  for (const path of keep.hub) take(root, path);
  return root;
}

/** Returns the paths of the fields in a schema that another schema does not have, each without the fields in it. */
export function fieldsMissingIn(other: StructuralSchema, schema: StructuralSchema, path = ''): string[] {
  const isOpen = other['x-kubernetes-preserve-unknown-fields'] === true || other.type === undefined;
  if (isOpen || other.type !== schema.type) return [];
  const known = other.properties ?? {};
  const below = (
    next: StructuralSchema | boolean | undefined,
    its: StructuralSchema | boolean | undefined,
    at: string,
  ) => (typeof next === 'object' && typeof its === 'object' ? fieldsMissingIn(its, next, at) : []);
  const ofProperties = Object.entries(schema.properties ?? {}).flatMap(([name, next]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(known, name)) return below(next, known[name], at);
    return other.additionalProperties === undefined ? [at] : [];
  });
  return [
    ...ofProperties,
    ...below(schema.items, other.items, `${path}[*]`),
    ...below(schema.additionalProperties, other.additionalProperties, `${path}.*`),
  ];
}

function listOf(steps: readonly PathStep[]): readonly PathStep[] {
  return steps.slice(0, steps.findLastIndex(({ each }) => each) + 1);
}

function belowList(steps: readonly PathStep[]): readonly PathStep[] {
  return steps.slice(steps.findLastIndex(({ each }) => each) + 1);
}

function moveFields(root: MutableSchema, moves: readonly FieldMove[]): void {
  const taken = moves
    .map((move) => ({ ...move, isRequired: isAlwaysPresent(root, move.from) }))
    .toSorted((one, other) => other.from.length - one.from.length)
    .map((move) => ({ ...move, schema: take(root, move.from) }));
  for (const { to } of moves) take(root, to, false);
  for (const { to, schema, isRequired } of taken.toSorted((one, other) => one.to.length - other.to.length)) {
    if (schema !== undefined) put(root, to, schema, isRequired);
  }
}

/** Removes a field. A parent that no longer has any field is removed too, as an object's parent is. */
function take(root: MutableSchema, steps: readonly PathStep[], prunes = true): StructuralSchema | undefined {
  const parent = schemaBelow(root, steps.slice(0, -1));
  const name = steps.at(-1)?.name ?? '';
  const schema = parent?.properties?.[name];
  if (parent?.properties === undefined || schema === undefined) return undefined;
  const { [name]: _taken, ...properties } = parent.properties;
  parent.properties = properties;
  if (parent.required !== undefined) parent.required = parent.required.filter((other) => other !== name);
  const isEmpty = Object.keys(properties).length === 0 && parent.additionalProperties === undefined;
  const isInList = steps.at(-2)?.each === true;
  if (prunes && isEmpty && steps.length > 2 && !isInList && !parent['x-kubernetes-preserve-unknown-fields']) {
    take(root, steps.slice(0, -1));
  }
  return schema;
}

function put(root: MutableSchema, steps: readonly PathStep[], schema: StructuralSchema, isRequired: boolean): void {
  let parent = root;
  for (const [at, { name, each }] of steps.entries()) {
    const known = parent.properties?.[name] as MutableSchema | undefined;
    const isLast = at === steps.length - 1;
    const next = isLast ? schema : (known ?? { type: 'object' });
    parent.properties = { ...parent.properties, [name]: next };
    if (isRequired && (isLast || known === undefined)) {
      parent.required = [...new Set([...(parent.required ?? []), name])];
    }
    parent = (each ? next.items : next) as MutableSchema;
  }
}

function schemaBelow(root: MutableSchema, steps: readonly PathStep[]): MutableSchema | undefined {
  let schema: MutableSchema | undefined = root;
  for (const { name, each } of steps) {
    const next = schema?.properties?.[name] as MutableSchema | undefined;
    schema = (each ? next?.items : next) as MutableSchema | undefined;
  }
  return schema;
}
