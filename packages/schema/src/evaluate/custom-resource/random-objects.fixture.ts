import { setKey } from '@evenkeel/apimachinery/json';
import type { Random } from '@evenkeel/core';
import type { StructuralSchema } from '../structural-schema.ts';

const names = ['a', 'b', 'c', 'k', 'x y', '__proto__', 'constructor'];
const words = ['', 'a', 'b', 'bad', 'abc', 'ä', '2026-01-01', '10.0.0.1', '1h', '5%'];

/** A random schema, which accepts about half of all random values. */
export function randomSchema(random: Random, depth = 0, isCorrelated = true): StructuralSchema {
  const kind = pick(depth < 3 ? [...scalars, ...compounds, ...compounds] : scalars, random);
  const schema = schemaOf(kind, random, depth, isCorrelated);
  if (random.next() < 0.2) schema.nullable = true;
  if (random.next() < 0.2) addRule(schema, kind, isCorrelated, random);
  if (random.next() < 0.15) addCondition(schema, kind, random);
  if (depth > 0 && random.next() < 0.25) schema.default = randomValue(schema, random, 1);
  return schema;
}

const scalars = ['string', 'integer', 'number', 'boolean', 'intOrString'] as const;
const compounds = ['object', 'map', 'list', 'set', 'mapList', 'preserving', 'embedded'] as const;
type Kind = (typeof scalars)[number] | (typeof compounds)[number];

function schemaOf(kind: Kind, random: Random, depth: number, isCorrelated: boolean): StructuralSchema {
  const below = (correlated = isCorrelated) => randomSchema(random, depth + 1, correlated);
  switch (kind) {
    case 'string':
      return {
        type: 'string',
        maxLength: 10,
        ...some(random, {
          minLength: 1,
          pattern: '^[a-z]',
          enum: ['a', 'b', 'bad'],
          format: pick(['date', 'date-time', 'byte', 'ipv4', 'duration'], random),
        }),
      };
    case 'integer':
      return {
        type: 'integer',
        ...some(random, { minimum: 0, maximum: 5, multipleOf: 2, format: 'int32', enum: [1, 2, 3] }),
      };
    case 'number':
      return { type: 'number', ...some(random, { minimum: 0.5, maximum: 5, exclusiveMaximum: true, multipleOf: 0.5 }) };
    case 'boolean':
      return { type: 'boolean' };
    case 'intOrString':
      return { 'x-kubernetes-int-or-string': true, ...some(random, { pattern: '%$', maximum: 5 }) };
    case 'map':
      return { type: 'object', additionalProperties: below(), maxProperties: 3 };
    case 'list':
      return { type: 'array', items: below(false), maxItems: 3, ...some(random, { minItems: 1 }) };
    case 'set':
      return {
        type: 'array',
        items: {
          type: 'string',
          maxLength: 10,
          ...some(random, { format: pick(['date', 'date-time', 'byte'], random) }),
        },
        maxItems: 4,
        'x-kubernetes-list-type': 'set',
      };
    case 'mapList': {
      const { properties = {} } = schemaOf('object', random, depth + 1, isCorrelated);
      const items: StructuralSchema = {
        type: 'object',
        required: ['k'],
        properties: { ...properties, k: { type: 'string', maxLength: 5 } },
      };
      return {
        type: 'array',
        items,
        maxItems: 4,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      };
    }
    case 'preserving':
      return { ...schemaOf('object', random, depth + 1, isCorrelated), 'x-kubernetes-preserve-unknown-fields': true };
    case 'embedded':
      return {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { spec: below() },
      };
    default: {
      const properties: { [name: string]: StructuralSchema } = {};
      for (const name of names) if (random.next() < 0.4) setKey(properties, name, below());
      const required = Object.keys(properties).filter(() => random.next() < 0.2);
      return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
    }
  }
}

function addRule(schema: StructuralSchema, kind: Kind, isCorrelated: boolean, random: Random): void {
  const rules: Partial<Record<Kind, string>> = {
    string: "self != 'bad'",
    integer: 'self < 4',
    number: 'self != 1.5',
    boolean: 'self',
    list: 'self.size() < 3',
    set: 'self.size() < 4',
    mapList: "self.all(e, e.k != 'bad')",
    map: "!('a' in self)",
    intOrString: 'type(self) != int || self < 4',
  };
  const rule = rules[kind];
  if (rule === undefined || schema.format !== undefined) return;
  const changes = isCorrelated && random.next() < 0.4;
  const rulesOf = [
    { rule, ...some(random, { message: 'it is bad' }) },
    ...(changes ? [{ rule: 'self == oldSelf' }] : []),
  ];
  schema['x-kubernetes-validations'] = rulesOf;
}

function addCondition(schema: StructuralSchema, kind: Kind, random: Random): void {
  if (kind === 'string') schema.anyOf = [{ minLength: 2 }, { enum: ['a'] }];
  if (kind === 'integer') schema.oneOf = [{ maximum: 2 }, { minimum: 1 }];
  if (kind === 'object')
    schema[pick(['anyOf', 'oneOf', 'allOf'] as const, random)] = [{ required: ['a'] }, { required: ['b'] }];
  if (kind === 'list') schema.not = { maxItems: 1 };
}

/** A value that satisfies the schema, except in a few places. */
export function randomValue(schema: StructuralSchema, random: Random, faults = 0.12): unknown {
  if (random.next() < faults * 0.6 && faults < 1) return randomJunk(random);
  if (schema.enum !== undefined && random.next() < 0.7) return pick(schema.enum, random);
  if (schema['x-kubernetes-int-or-string'] === true) return pick([1, 9, '5%', 'bad'], random);
  switch (schema.type) {
    case 'string':
      return pick(words, random);
    case 'integer':
      return random.integer(8) - 1;
    case 'number':
      return pick([0, 0.5, 1, 1.5, 2.25, 5, -1], random);
    case 'boolean':
      return random.next() < 0.5;
    case 'array': {
      const { items } = schema;
      return items === undefined
        ? []
        : Array.from({ length: random.integer(5) }, () => randomValue(items, random, faults));
    }
    default:
      return randomObject(schema, random, faults);
  }
}

function randomObject(schema: StructuralSchema, random: Random, faults: number): unknown {
  const value = {};
  const { properties = {}, additionalProperties } = schema;
  for (const [name, property] of Object.entries(properties)) {
    const isRequired = schema.required?.includes(name) === true;
    if (random.next() < (isRequired ? 0.9 : 0.5))
      setKey(value, name, random.next() < 0.1 ? null : randomValue(property, random, faults));
  }
  if (typeof additionalProperties === 'object') {
    for (const name of names)
      if (random.next() < 0.3) setKey(value, name, randomValue(additionalProperties, random, faults));
  }
  if (schema['x-kubernetes-embedded-resource'] === true && random.next() < 0.9) {
    Object.assign(value, {
      apiVersion: 'v1',
      kind: pick(['Pod', 'a_b'], random),
      metadata: pick([{ name: 'a' }, { name: 'A_' }, {}, { labels: { a: 'b c' } }, { name: 5, odd: 1 }], random),
    });
  }
  if (random.next() < 0.15) setKey(value, pick(['unknown', ...names], random), randomJunk(random));
  return value;
}

function randomJunk(random: Random): unknown {
  return pick(
    [null, 1, 1.5, -3, true, 'bad', '', [], {}, [null], ['bad', 'bad'], { a: 1 }, { k: 'a' }, [{ k: 'a' }, { k: 'a' }]],
    random,
  );
}

/** A copy of a value with one change or none. */
export function changedValue(value: unknown, schema: StructuralSchema, random: Random): unknown {
  if (random.next() < 0.15) return randomValue(schema, random);
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    const changed = value.map((item: unknown) => (random.next() < 0.3 ? changedValue(item, items, random) : item));
    if (random.next() < 0.2) changed.push(randomValue(items, random));
    return random.next() < 0.2 ? changed.reverse() : changed;
  }
  if (typeof value !== 'object' || value === null) return value;
  const changed = {};
  for (const [name, member] of Object.entries(value)) {
    const { properties = {}, additionalProperties } = schema;
    const other = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    const below = Object.hasOwn(properties, name) ? properties[name] : other;
    const isKept = below === undefined || random.next() < 0.5;
    if (random.next() < 0.9) setKey(changed, name, isKept ? member : changedValue(member, below, random));
  }
  return changed;
}

function some<T extends object>(random: Random, values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(() => random.next() < 0.3)) as Partial<T>;
}

function pick<T>(all: readonly T[], random: Random): T {
  return all[random.integer(all.length)] as T;
}
