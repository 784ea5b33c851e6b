import { copyJson, isJsonObject, type JsonObject, setKey } from '@evenkeel/apimachinery/json';
import type { Random } from '@evenkeel/core';

/** Values for keywords, by keyword. */
const typical: { readonly [keyword: string]: readonly unknown[] } = {
  type: ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null', 'text', '', ['string']],
  format: ['date', 'date-time', 'int32', 'byte', 'color', 'duration', 'k8s-short-name', ''],
  pattern: ['^a+$', '(', '(?=a)', '\\d{3}', 'a{1001}', ''],
  default: ['x', '', 5, 1.5, true, [], ['x', 'x'], {}, { a: 'x' }, { a: { b: 1 } }, null],
  enum: [['x'], [1, 'x'], [], [null], 'x'],
  maxLength: [0, 3, -1, 10_000_000, '3', 1.5],
  minLength: [0, 3],
  maximum: [0, 5, 1.5, -1e300, '5'],
  minimum: [0, 5, 2.5],
  multipleOf: [0, 2, 0.5],
  exclusiveMaximum: [true, false, 5],
  exclusiveMinimum: [true, false],
  maxItems: [0, 3, 100_000],
  minItems: [0, 3],
  maxProperties: [0, 3],
  minProperties: [0, 1],
  uniqueItems: [true, false],
  nullable: [true, false, 'true'],
  required: [['a'], ['a', 'b'], [], 'a'],
  properties: [{ a: { type: 'string' } }, { a: {} }, {}, { metadata: { type: 'object' }, kind: { type: 'integer' } }],
  additionalProperties: [true, false, { type: 'string' }, {}, 'x'],
  items: [{ type: 'string' }, {}, [{ type: 'string' }], 'x'],
  allOf: [[{ minLength: 1 }], [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }], []],
  anyOf: [[{ type: 'integer' }, { type: 'string' }], [{ required: ['a'] }], [{ properties: { a: { minLength: 1 } } }]],
  oneOf: [[{ maximum: 3 }, { minimum: 5 }], [{ items: { minLength: 1 } }]],
  not: [{ required: ['a'] }, { enum: ['x'] }, { nullable: true }],
  description: ['x', '', 5],
  title: ['x'],
  example: [{ a: 1 }],
  externalDocs: [{ url: 'x' }],
  $ref: ['#/a', ''],
  id: ['a', ''],
  definitions: [{ a: { type: 'string' } }, {}],
  dependencies: [{ a: ['b'] }, { a: { type: 'object' } }],
  patternProperties: [{ a: { type: 'string' } }],
  additionalItems: [true, { type: 'string' }],
  'x-kubernetes-preserve-unknown-fields': [true, false],
  'x-kubernetes-embedded-resource': [true, false],
  'x-kubernetes-int-or-string': [true, false],
  'x-kubernetes-list-type': ['atomic', 'set', 'map', 'bag'],
  'x-kubernetes-list-map-keys': [['a'], ['a', 'b'], ['k'], []],
  'x-kubernetes-map-type': ['atomic', 'granular', 'loose'],
  'x-kubernetes-validations': [
    [{ rule: 'true' }],
    [{ rule: 'self == oldSelf' }],
    [{ rule: 'has(self.a)' }],
    [{ rule: "self != 'x'", message: 'no x' }],
    [{ rule: 'self.size() > 1', fieldPath: '.a', reason: 'FieldValueRequired' }],
    [{ rule: 'self > 3', messageExpression: 'string(self)' }],
    [{ rule: 'nonsense' }],
    [{ rule: 'self.all(a, self.all(b, a == b))' }],
    [{ rule: 'self.metadata.name.size() > 1' }],
    [{ rule: 'oldSelf.hasValue()', optionalOldSelf: true }],
  ],
};
const keywords = Object.keys(typical);

/** Values of every JSON type. */
const anything: readonly unknown[] = ['x', '', 0, 1.5, true, false, null, [], {}, ['x'], { a: 'x' }];

/** A copy of a definition with a few random changes, most of them in schemas. */
export function mutated(definition: unknown, random: Random): unknown {
  const copy = copyJson(definition) as JsonObject;
  const count = 1 + Math.floor(random.next() ** 2 * 4);
  for (let i = 0; i < count; i++) {
    const schemas = schemasIn(copy);
    if (schemas.length > 0 && random.next() < 0.9) mutateSchema(pick(schemas, random), schemas, random);
    else mutateElsewhere(copy, random);
  }
  return copy;
}

function mutateSchema(schema: JsonObject, all: readonly JsonObject[], random: Random): void {
  const present = Object.keys(schema);
  const keyword = pick(random.next() < 0.5 || present.length === 0 ? keywords : present, random);
  const change = random.next();
  if (change < 0.2) delete schema[pick(present.length > 0 ? present : keywords, random)];
  else if (change < 0.6)
    setKey(
      schema,
      keyword,
      copyJson(pick(Object.hasOwn(typical, keyword) ? (typical[keyword] ?? anything) : anything, random)),
    );
  else if (change < 0.65) setKey(schema, keyword, copyJson(pick(anything, random)));
  else if (change < 0.75) rename(schema, random);
  else place(copyJson(pick(all, random)), schema, random);
}

function rename(schema: JsonObject, random: Random): void {
  const from = pick([...Object.keys(schema), 'type'], random);
  const value = schema[from];
  delete schema[from];
  if (value !== undefined) setKey(schema, random.next() < 0.8 ? pick(keywords, random) : `${from}s`, value);
}

/** Inserts a schema at a random place in another, which may be the same one. */
function place(moved: JsonObject, into: JsonObject, random: Random): void {
  if (JSON.stringify(moved).length > 20_000) return;
  const where = pick(
    ['properties', 'items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', 'not', 'itself'],
    random,
  );
  if (where === 'itself') {
    for (const key of Object.keys(into)) delete into[key];
    Object.assign(into, moved);
  } else if (where === 'properties') {
    const properties = isJsonObject(into['properties']) ? into['properties'] : {};
    setKey(properties, pick(['a', 'k', 'spec', 'metadata', ...Object.keys(properties)], random), moved);
    into['properties'] = properties;
  } else into[where] = where.endsWith('Of') ? [moved, ...[into[where] ?? []].flat()] : moved;
}

function mutateElsewhere(definition: JsonObject, random: Random): void {
  const objects: JsonObject[] = [];
  const visit = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isJsonObject(value)) {
      if (value !== definition) objects.push(value);
      for (const [key, member] of Object.entries(value)) if (key !== 'openAPIV3Schema') visit(member);
    }
  };
  visit(definition);
  if (objects.length === 0) return;
  const object = pick(objects, random);
  const key = pick([...Object.keys(object), 'a'], random);
  if (random.next() < 0.4) delete object[key];
  else setKey(object, key, copyJson(pick(anything, random)));
}

/** Every schema in a definition, at every valid place. */
function schemasIn(definition: unknown): JsonObject[] {
  const found: JsonObject[] = [];
  const visit = (value: unknown) => {
    if (!isJsonObject(value)) return;
    found.push(value);
    for (const keyword of ['items', 'additionalProperties', 'not']) visit(value[keyword]);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const branches = value[keyword];
      if (Array.isArray(branches)) branches.forEach(visit);
    }
    const { properties } = value;
    if (isJsonObject(properties)) Object.values(properties).forEach(visit);
  };
  const { spec } = definition as { spec?: { versions?: unknown } };
  const versions = isJsonObject(spec) && Array.isArray(spec.versions) ? spec.versions : [];
  for (const version of versions) {
    const schema = isJsonObject(version) ? version['schema'] : undefined;
    if (isJsonObject(schema)) visit(schema['openAPIV3Schema']);
  }
  return found;
}

function pick<T>(all: readonly T[], random: Random): T {
  return all[Math.floor(random.next() * all.length)] as T;
}
