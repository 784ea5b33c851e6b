import { fieldErrorText } from '@evenkeel/apimachinery/field-error';
import { copyJson, setKey } from '@evenkeel/apimachinery/json';
import type { Random } from '@evenkeel/core';
import { type CompiledSchema, compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { matchOf, type TextGenerator } from '../regular-expression/matching-text.ts';
import { textsOfFormat } from './format-texts.ts';

export interface RandomObjectsOptions {
  readonly random: Random;
  /** Objects from which some of the random objects are made, by replacing parts. They help if a schema has rules. Default: none. */
  readonly samples?: readonly object[];
}

/** How often an object is made again if it is invalid. */
const attempts = 40;
/** The most values in one object, except those that are required. */
const valuesMax = 60;
/** Schemas that require longer strings, lists or maps have no random objects. */
const lengthMax = 10_000;
const countMax = 1000;
const words = ['', 'a', 'b', 'web', 'Web Server', 'ä', '😀', '0', 'true', 'x'.repeat(70)];

/**
 * Random objects of a structural schema: valid, pruned and with defaults, as the API server stores them. Limits, enums, formats and
 * patterns are followed; conditions and rules are only checked afterwards. The same random numbers give the same objects.
 */
export class RandomObjects {
  readonly #schema: StructuralSchema;
  readonly #compiled: CompiledSchema;
  readonly #random: Random;
  readonly #samples: readonly object[];
  readonly #patterns = new Map<string, TextGenerator>();
  #left = 0;

  /** @param schema the schema of the whole object. */
  constructor(schema: StructuralSchema, { random, samples = [] }: RandomObjectsOptions) {
    this.#schema = schema;
    this.#compiled = compileSchema(schema);
    this.#random = random;
    this.#samples = samples;
  }

  /**
   * Returns an object with the given type and metadata; undefined if none of many attempts was valid.
   *
   * @param head `apiVersion`, `kind` and `metadata`.
   */
  next(head: object): object | undefined {
    for (let attempt = 0; attempt < attempts; attempt++) {
      // Fewer optional fields violate fewer rules.
      const density = 0.7 * (1 - attempt / attempts);
      this.#left = valuesMax;
      const sample = this.#samples[this.#random.integer(this.#samples.length)];
      const value =
        sample === undefined ? this.#object(this.#schema, density, 0) : this.#changed(sample, this.#schema, density);
      const object = this.stored({ ...(value as object), ...head });
      if (object !== undefined) return object;
    }
    return undefined;
  }

  /** Returns an object as the API server stores it, with defaults; undefined if it is invalid. Does not change `object`. */
  stored(object: object): object | undefined {
    const read = this.read(object);
    return read.errors.length === 0 ? read.object : undefined;
  }

  /** Returns a copy of an object without unspecified fields and with defaults, and the errors that a write of it would have. */
  read(object: object): { readonly object: object; readonly errors: readonly string[] } {
    const copy = this.pruned(object);
    this.#compiled.default(copy);
    return { object: copy, errors: this.#compiled.validate(copy).map(fieldErrorText) };
  }

  /** Returns a copy of an object without unspecified fields. */
  pruned(object: object): object {
    const copy = copyJson(object);
    this.#compiled.prune(copy);
    return copy;
  }

  /** A copy with some parts replaced by random ones. */
  #changed(value: unknown, schema: StructuralSchema, density: number): unknown {
    if (this.#random.next() < 0.1) return this.#value(schema, density, 1);
    if (Array.isArray(value)) {
      const { items = {} } = schema;
      return value.map((item: unknown) => (this.#random.next() < 0.3 ? this.#changed(item, items, density) : item));
    }
    if (typeof value !== 'object' || value === null) {
      return this.#random.next() < 0.2 ? this.#value(schema, density, 1) : value;
    }
    const changed = {};
    const names = new Set([...Object.keys(value), ...Object.keys(schema.properties ?? {})]);
    for (const name of names) {
      const below = schemaOf(schema, name);
      const isThere = Object.hasOwn(value, name);
      if (!isThere && this.#random.next() > density / 2) continue;
      const old = (value as Record<string, unknown>)[name];
      setKey(changed, name, isThere ? this.#changed(old, below, density) : this.#value(below, density, 1));
    }
    return changed;
  }

  #value(schema: StructuralSchema, density: number, depth: number): unknown {
    this.#left--;
    if (schema.nullable === true && this.#random.next() < 0.1) return null;
    if (schema.enum !== undefined && schema.enum.length > 0) return copyJson(this.#pick(schema.enum));
    if (schema['x-kubernetes-int-or-string'] === true) {
      return this.#random.next() < 0.5 ? this.#number(schema, true) : this.#text(schema);
    }
    switch (schema.type) {
      case 'string':
        return this.#text(schema);
      case 'integer':
        return this.#number(schema, true);
      case 'number':
        return this.#number(schema, false);
      case 'boolean':
        return this.#random.next() < 0.5;
      case 'array':
        return this.#list(schema, density, depth);
      case 'object':
        return this.#object(schema, density, depth);
      default:
        return this.#pick<unknown>([1, 'a', true, { a: 1 }, ['a']]);
    }
  }

  #object(schema: StructuralSchema, density: number, depth: number): unknown {
    const object = {};
    const { properties = {}, required = [], additionalProperties, maxProperties = Infinity } = schema;
    const wanted = depth <= 1 ? Math.max(density, 0.5) : density;
    for (const [name, below] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      if (!isRequired && (this.#left <= 0 || this.#random.next() > wanted)) continue;
      setKey(object, name, this.#value(below, density * 0.8, depth + 1));
    }
    const count = Math.min(maxProperties, countMax, (schema.minProperties ?? 0) + this.#random.integer(3));
    if (typeof additionalProperties === 'object') {
      for (let at = 0; at < count; at++) {
        setKey(
          object,
          this.#pick(['a', 'b', 'app', 'example.com/x', 'k8s']),
          this.#value(additionalProperties, density, depth + 1),
        );
      }
    }
    if (schema['x-kubernetes-preserve-unknown-fields'] === true && this.#random.next() < density) {
      setKey(object, 'unknownField', this.#pick<unknown>([1, 'a', { b: [1] }]));
    }
    if (schema['x-kubernetes-embedded-resource'] === true) {
      Object.assign(object, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'embedded' } });
    }
    return object;
  }

  #list(schema: StructuralSchema, density: number, depth: number): unknown[] {
    const { items = {}, maxItems = Infinity } = schema;
    const minItems = Math.min(schema.minItems ?? 0, countMax);
    const most = this.#left <= 0 ? minItems : Math.min(maxItems, minItems + 3);
    const count = minItems + this.#random.integer(most - minItems + 1);
    const list: unknown[] = [];
    const keys = new Set<string>();
    // A set or a map of a few values may have fewer elements than wanted.
    for (let tries = count * 4; tries > 0 && list.length < count; tries--) {
      const item = this.#value(items, density * 0.8, depth + 1);
      const key = listKey(schema, item);
      if (key !== undefined && keys.size === keys.add(key).size) continue;
      list.push(item);
    }
    return list;
  }

  #number(schema: StructuralSchema, isInteger: boolean): number {
    const { minimum, maximum, multipleOf, format } = schema;
    const [low, high] = [minimum ?? (maximum === undefined ? -10 : maximum - 100), maximum ?? (minimum ?? 0) + 1000];
    const any = low + this.#random.next() * (high - low);
    const given = this.#pick([low, high, any, any, any, Math.min(Math.max(0, low), high), Math.min(low + 1, high)]);
    const step = multipleOf ?? (isInteger ? 1 : 0);
    const value = step === 0 ? given : Math.round(given / step) * step;
    if (schema.exclusiveMinimum === true && value <= low) return value + (step || 0.5);
    if (schema.exclusiveMaximum === true && value >= high) return value - (step || 0.5);
    return format === 'int32' ? Math.min(Math.max(value, -(2 ** 31)), 2 ** 31 - 1) : value;
  }

  #text(schema: StructuralSchema): string {
    const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
    const formatted = format === undefined ? undefined : textsOfFormat(format);
    const generator = pattern === undefined ? undefined : this.#generatorOf(pattern);
    let text = '';
    for (let tries = 0; tries < 10; tries++) {
      text = formatted !== undefined ? this.#pick(formatted) : (generator?.(this.#random) ?? this.#pick(words));
      const length = [...text].length;
      if (length >= minLength && length <= maxLength) return text;
    }
    const least = Math.min(minLength, lengthMax);
    return [...text.padEnd(least, 'a')].slice(0, Math.max(least, Math.min(maxLength, 1000))).join('');
  }

  #generatorOf(pattern: string): TextGenerator {
    const known = this.#patterns.get(pattern);
    if (known !== undefined) return known;
    const made = generatorOf(pattern);
    this.#patterns.set(pattern, made);
    return made;
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#random.integer(all.length)] as T;
  }
}

/** Go's patterns are written for RE2. If JavaScript cannot read one, its strings are random words. */
function generatorOf(pattern: string): TextGenerator {
  try {
    return matchOf(new RegExp(pattern));
  } catch {
    return (random) => words[random.integer(words.length)] ?? '';
  }
}

function schemaOf({ properties = {}, additionalProperties }: StructuralSchema, name: string): StructuralSchema {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return property ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
}

/** What must be unique among the elements of a list. */
function listKey(schema: StructuralSchema, item: unknown): string | undefined {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return JSON.stringify(item);
    case 'map': {
      const keys = schema['x-kubernetes-list-map-keys'] ?? [];
      // A missing key has its default, which is the same for all.
      return JSON.stringify(
        keys.map((key) => (item as Record<string, unknown>)[key] ?? schema.items?.properties?.[key]?.default),
      );
    }
    default:
      return undefined;
  }
}
