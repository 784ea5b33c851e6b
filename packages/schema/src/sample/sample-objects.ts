import { copyJson, isJsonObject, setKey } from '@evenkeel/apimachinery/json';
import { fieldsOfEveryObject, SeededRandom } from '@evenkeel/core';
import { type CompiledSchema, compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { matchOf, type TextGenerator } from '../regular-expression/matching-text.ts';
import { compilePattern } from '../regular-expression/pattern.ts';
import { textsOfFormat } from './format-texts.ts';
import { RandomObjects } from './random-objects.ts';

/** Two valid objects of one schema, as a user would write them: without defaults, and without the status. */
export interface SampleObjects {
  /** Only the fields without which it is invalid. */
  readonly minimal: object;
  /** All fields, except the optional ones of large types such as a pod template. */
  readonly full: object;
}

/** An optional field of more weight is left out, and a required one has only its required fields. */
const weightMax = 40;
/** Longer strings and lists are useless as examples. If a schema requires them, there is no sample. */
const lengthMax = 1000;
const itemsMax = 10;
/** How many random strings and random objects are tried, if simple ones are invalid. */
const attempts = 50;

const words = ['example', 'example.com', 'Example', 'web-1', 'a', '1', '/', '*', '* * * * *', '10.0.0.0', '1s', 'aa'];

/**
 * Returns a minimal and a full object of a schema; the same for the same schema. Values are examples and defaults of the schema, the
 * first value of an enum, or simple values within the limits. Fields that violate a rule are left out. Returns undefined if no valid
 * object is found, because the rules of the schema are too complex.
 *
 * @param schema the schema of the whole object.
 * @param heads `apiVersion`, `kind` and `metadata` of both objects.
 */
export function sampleObjects(
  schema: StructuralSchema,
  heads: { readonly minimal: object; readonly full: object },
): SampleObjects | undefined {
  const compiled = compileSchema(schema);
  const { status: _status, ...properties } = schema.properties ?? {};
  const described = { ...schema, properties };
  const full =
    validPart({ ...objectOf(described, true, 0), ...heads.full }, compiled) ??
    randomObject(described, heads.full, compiled);
  if (full === undefined) return undefined;
  const required = { ...objectOf(described, false), ...heads.minimal };
  if (errorsOf(required, compiled) === 0) return { minimal: required, full };
  // A rule requires more than the required fields, or forbids the name.
  const renamed = { ...full, ...heads.minimal };
  return errorsOf(renamed, compiled) === 0 ? { minimal: smallest(renamed, compiled), full } : undefined;
}

function errorsOf(object: object, compiled: CompiledSchema): number {
  const copy = copyJson(object);
  compiled.default(copy);
  return compiled.validate(copy).length;
}

/** Removes the fields that make an object invalid. Undefined if that does not help. */
function validPart(object: object, compiled: CompiledSchema): object | undefined {
  let part = object;
  for (let errors = errorsOf(part, compiled); errors > 0; ) {
    const better = pathsIn(part)
      .map((path) => without(part, path))
      .map((attempt) => ({ attempt, errors: errorsOf(attempt, compiled) }))
      .reduce((best, other) => (other.errors < best.errors ? other : best), { attempt: part, errors });
    if (better.errors === errors) return undefined;
    part = better.attempt;
    errors = better.errors;
  }
  return part;
}

/** Removes all fields without which an object is still valid. */
function smallest(object: object, compiled: CompiledSchema): object {
  let part = object;
  for (const path of pathsIn(object)) {
    const attempt = without(part, path);
    if (errorsOf(attempt, compiled) === 0) part = attempt;
  }
  return part;
}

function randomObject(schema: StructuralSchema, objectHead: object, compiled: CompiledSchema): object | undefined {
  const objects = new RandomObjects(schema, { random: new SeededRandom(1) });
  for (let attempt = 0; attempt < attempts; attempt++) {
    const object = objects.next(objectHead);
    if (object !== undefined && errorsOf(object, compiled) === 0) return object;
  }
  return undefined;
}

type Path = readonly string[];

/** The paths of the fields and elements below the fields of an object, the outermost first, and the last element of a list first. */
function pathsIn(object: object): Path[] {
  const below = (value: unknown, path: Path): Path[] => {
    if (typeof value !== 'object' || value === null) return [];
    const paths = Object.keys(value).map((name) => [...path, name]);
    const entries = Array.isArray(value) ? paths.toReversed() : paths;
    return [...entries, ...entries.flatMap((entry) => below(Reflect.get(value, entry.at(-1) ?? ''), entry))];
  };
  return Object.entries(object).flatMap(([name, value]) => (fieldsOfEveryObject.has(name) ? [] : below(value, [name])));
}

/** Returns a copy without the value at a path. Returns the object itself if the value is the only element of a list or does not exist. */
function without<T>(value: T, [name = '', ...inner]: Path): T {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  if (Array.isArray(value)) {
    const at = Number(name);
    if (inner.length > 0) return value.with(at, without(value[at], inner)) as T;
    return (value.length === 1 ? value : value.toSpliced(at, 1)) as T;
  }
  const copy = {};
  for (const [key, entry] of Object.entries(value)) {
    if (key !== name) setKey(copy, key, entry);
    else if (inner.length > 0) setKey(copy, key, without(entry, inner));
  }
  return copy as T;
}

/** @param isFull whether the sample contains optional fields. A list always has an element, because an empty list is useless. */
function sampleOf(schema: StructuralSchema, isFull: boolean): unknown {
  if (schema.example !== undefined) return copyJson(schema.example);
  if (schema.default !== undefined && !isJsonObject(schema.default)) return copyJson(schema.default);
  if (schema.enum !== undefined && schema.enum.length > 0) return copyJson(schema.enum[0]);
  if (schema['x-kubernetes-int-or-string'] === true)
    return schema.pattern === undefined ? numberFor(schema) : textFor(schema);
  switch (schema.type) {
    case 'string':
      return textFor(schema);
    case 'integer':
    case 'number':
      return numberFor(schema);
    case 'boolean':
      return false;
    case 'array':
      return listOf(schema, isFull);
    default:
      return objectOf(schema, isFull);
  }
}

function objectOf(schema: StructuralSchema, isFull: boolean, depth = 1): object {
  const { properties = {}, required = [], additionalProperties, minProperties = 0, maxProperties = Infinity } = schema;
  const object = {};
  if (schema['x-kubernetes-embedded-resource'] === true) {
    Object.assign(object, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'example' } });
  }
  for (const [name, below] of Object.entries(properties)) {
    const isSmall = depth === 0 || weightOf(below) <= weightMax;
    if (required.includes(name)) setKey(object, name, sampleOf(below, isFull && isSmall));
    else if (isFull && isSmall && Object.keys(object).length < maxProperties)
      setKey(object, name, sampleOf(below, true));
  }
  if (typeof additionalProperties === 'object') {
    const wanted = Math.min(maxProperties, itemsMax, Math.max(minProperties, isFull ? 1 : 0));
    for (let at = 1; Object.keys(object).length < wanted; at++) {
      setKey(object, at === 1 ? 'example' : `example-${at}`, sampleOf(additionalProperties, isFull));
    }
  }
  return object;
}

function listOf({ items = {}, minItems = 0, maxItems = Infinity }: StructuralSchema, isFull: boolean): unknown[] {
  const count = Math.min(maxItems, itemsMax, Math.max(minItems, 1));
  const first = sampleOf(items, isFull);
  // Elements of a set or a map must differ.
  return Array.from({ length: count }, (_, at) => (at === 0 ? first : different(first, at)));
}

function different(value: unknown, at: number): unknown {
  if (typeof value === 'string') return `${value}-${at + 1}`;
  if (typeof value === 'number') return value + at;
  if (!isJsonObject(value)) return value;
  const copy = {};
  for (const [name, field] of Object.entries(value)) setKey(copy, name, different(field, at));
  return copy;
}

function numberFor(schema: StructuralSchema): number {
  const { minimum, maximum, multipleOf = schema.type === 'number' ? 0 : 1 } = schema;
  const low = minimum ?? Math.min(maximum ?? 1, 1);
  const step = multipleOf === 0 ? 0.5 : multipleOf;
  const first = multipleOf === 0 ? low : Math.ceil(low / step) * step;
  return schema.exclusiveMinimum === true && first === minimum ? first + step : first;
}

function textFor({ minLength = 0, maxLength = Infinity, pattern, format }: StructuralSchema): string {
  const compiled = pattern === undefined ? undefined : compilePattern(pattern);
  const fits = (text: string) => {
    const length = [...text].length;
    const matches = typeof compiled !== 'object' || compiled.matcher(text).find();
    return length >= minLength && length <= maxLength && matches;
  };
  const simple = (format === undefined ? undefined : textsOfFormat(format)) ?? words;
  const found = simple.find(fits);
  if (found !== undefined) return found;
  const generated = pattern === undefined ? undefined : generatorOf(pattern);
  if (generated === undefined) return 'example'.padEnd(Math.min(minLength, lengthMax), '-example').slice(0, maxLength);
  const random = new SeededRandom(1);
  const texts = Array.from({ length: attempts }, () => generated(random)).filter(fits);
  return texts.reduce((best, text) => (text.length < best.length ? text : best), texts[0] ?? '');
}

/** Undefined for syntax that JavaScript does not have. It only parses the expression, and never runs it. */
function generatorOf(pattern: string): TextGenerator | undefined {
  try {
    return matchOf(new RegExp(pattern));
  } catch {
    return undefined;
  }
}

/** The number of fields of a full object. A large field counts as one, because it is left out or reduced. */
function weightOf(schema: StructuralSchema, above: readonly StructuralSchema[] = []): number {
  // Only schemas of Kubernetes' own types have cycles.
  if (above.includes(schema)) return Number.POSITIVE_INFINITY;
  const { properties = {}, items, additionalProperties } = schema;
  const below = [
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
  return below
    .map((inner) => weightOf(inner, [...above, schema]))
    .reduce((sum, weight) => sum + (weight > weightMax ? 1 : weight), 1);
}
