import { accepts, type CorpusEntry, field, refuses, root, specOf } from './corpus-entry.fixture.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const preserving = { 'x-kubernetes-preserve-unknown-fields': true };
const embedding = { type: 'object', 'x-kubernetes-embedded-resource': true };
const intOrString = { 'x-kubernetes-int-or-string': true };
const eitherType = [integer, text];
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const withStatus = (schema: unknown) => root(schema, { subresources: { status: {} } });
/** A string with a pattern. */
const pattern = (value: string) => field({ type: 'string', pattern: value });

/** Keywords that the root of a schema with a status must not have, with values that are valid elsewhere. */
const refusedWithStatus: { readonly [keyword: string]: unknown } = {
  minProperties: 1,
  maxProperties: 9,
  enum: [{}],
  default: {},
  not: { required: ['a'] },
  allOf: [{ required: ['spec'] }],
  anyOf: [{ required: ['spec'] }],
  oneOf: [{ required: ['spec'] }],
  'x-kubernetes-map-type': 'atomic',
};
const allowedWithStatus: { readonly [keyword: string]: unknown } = {
  description: 'x',
  title: 'x',
  required: ['spec'],
  example: {},
  externalDocs: { url: 'https://example.com' },
  'x-kubernetes-preserve-unknown-fields': true,
  'x-kubernetes-validations': [{ rule: 'true' }],
};

/** Keywords that no schema may have, with values that are valid elsewhere. */
const refusedEverywhere: { readonly [keyword: string]: unknown } = {
  $ref: '#/x',
  $schema: 'http://json-schema.org/draft-04/schema#',
  id: 'x',
  definitions: { a: text },
  patternProperties: { a: text },
  dependencies: { a: ['b'] },
  additionalItems: true,
  uniqueItems: true,
};

/** Keywords for values. */
const structural: readonly CorpusEntry[] = [
  accepts('A schema may preserve all unknown fields.', root({ type: 'object', ...preserving })),
  refuses('A resource is an object.', root(text)),
  refuses('A resource has a type.', root({})),
  refuses(
    'A resource that preserves unknown fields is an object.',
    root({ type: 'array', items: text, ...preserving }),
  ),
  accepts('A resource that preserves unknown fields has a type all the same.', root({ type: 'object', ...preserving })),
  refuses('A resource is not nullable.', root({ type: 'object', nullable: true })),
  refuses('A resource is no map.', root({ type: 'object', additionalProperties: text })),
  refuses('A resource takes no other properties.', root({ type: 'object', additionalProperties: true })),
  refuses(
    'A resource does not refuse other properties by a keyword.',
    root({ type: 'object', additionalProperties: false }),
  ),
  refuses('A resource is not an embedded one that is a map.', root({ ...embedding, additionalProperties: text })),
  accepts('A resource may be called an embedded one.', root({ ...embedding, ...object({ spec: { type: 'object' } }) })),

  accepts(
    'Names of a resource may be restricted.',
    root(object({ metadata: object({ name: { type: 'string', maxLength: 5 } }) })),
  ),
  accepts('Generated names of a resource may be restricted.', {
    ...root(object({ metadata: object({ generateName: { type: 'string', pattern: 'a' } }) })),
  }),
  refuses(
    'Labels of a resource are not restricted.',
    root(object({ metadata: object({ labels: { type: 'object' } }) })),
  ),
  refuses(
    'Metadata of a resource are not described.',
    root(object({ metadata: { type: 'object', description: 'x' } })),
  ),
  refuses('Metadata of a resource are not required to be anything.', {
    ...root(object({ metadata: { type: 'object', required: ['name'] } })),
  }),
  refuses('Metadata of a resource have no rules.', {
    ...root(object({ metadata: { type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }] } })),
  }),
  refuses('Metadata of a resource are an object.', root(object({ metadata: text }))),
  refuses('Metadata of a resource have a type.', root(object({ metadata: {} }))),
  refuses('The kind of a resource is a text.', root(object({ kind: integer }))),
  refuses('The version of a resource is a text.', root(object({ apiVersion: { type: 'object' } }))),
  accepts('The kind of a resource may be an enum.', root(object({ kind: { type: 'string', enum: ['Thing'] } }))),
  refuses('A condition of a resource does not mention metadata.', {
    ...root(object({ a: text }, { anyOf: [{ properties: { metadata: { required: ['x'] } } }] })),
  }),
  refuses('A condition of a field does not mention something called metadata.', {
    ...field(object({ metadata: object({ a: text }) }, { anyOf: [{ properties: { metadata: { required: ['a'] } } }] })),
  }),
  accepts(
    'A field may be called metadata.',
    field(object({ metadata: { type: 'array', items: text, description: 'x' } })),
  ),
  accepts('A field may be called kind.', field(object({ kind: integer }))),

  refuses('A field has a type.', field({})),
  accepts('A field that preserves unknown fields needs no type.', field(preserving)),
  refuses('Unknown fields are preserved or nothing is said.', {
    ...field({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
  }),
  accepts(
    'A list may preserve unknown fields of its items.',
    field({ type: 'array', items: object({}), ...preserving }),
  ),
  accepts('A text may preserve unknown fields.', field({ ...text, ...preserving })),
  refuses('A type is one of the six types.', field({ type: 'text' })),
  refuses('A type is written in lower case.', field({ type: 'String' })),
  refuses('No value is nothing but null.', field({ type: 'null' })),
  accepts('A boolean is a type.', field({ type: 'boolean' })),
  accepts('A number is a type.', field({ type: 'number' })),
  accepts('A value may be null.', field({ type: 'string', nullable: true })),
  accepts('That a value is not null may be said.', field({ type: 'string', nullable: false })),
  refuses('A list has an item schema.', field({ type: 'array' })),
  refuses('A list that preserves unknown fields has an item schema.', field({ type: 'array', ...preserving })),
  refuses('Items have a type.', field({ type: 'array', items: {} })),
  refuses('Items of items have a type.', field({ type: 'array', items: { type: 'array', items: {} } })),
  refuses('All items have one schema.', field({ type: 'array', items: [text, integer] })),
  refuses('Items have a schema, and an empty list of schemas is not enough.', field({ type: 'array', items: [] })),
  accepts('An object may have an item schema.', field({ type: 'object', items: text })),
  accepts('A string may have a property schema.', field({ type: 'string', properties: { a: text } })),
  accepts('A map has values of a type.', field({ type: 'object', additionalProperties: text })),
  refuses('Values of a map have a type.', field({ type: 'object', additionalProperties: {} })),
  accepts('A map may have any values.', field({ type: 'object', additionalProperties: true })),
  accepts('A map may be empty for ever.', field({ type: 'object', additionalProperties: false })),
  refuses('An object has properties or is a map.', field(object({ a: text }, { additionalProperties: text }))),
  refuses(
    'An object with properties does not refuse others.',
    field(object({ a: text }, { additionalProperties: false })),
  ),
  accepts('An object with properties may allow others.', field(object({ a: text }, { additionalProperties: true }))),
  accepts('An object without properties may be a map.', field(object({}, { additionalProperties: text }))),
  accepts('What is required need not be known.', field(object({ a: text }, { required: ['b'] }))),
  accepts('What is required may be required twice.', field(object({ a: text }, { required: ['a', 'a'] }))),
  refuses(
    'A deep field has a type.',
    field({ type: 'array', items: { type: 'object', additionalProperties: object({ x: {} }) } }),
  ),
  accepts('Properties may have any name.', {
    ...field(object({ 'a/b.c-d': text, $ref: text, '': text, '0': text, 'ü x': text })),
  }),
  accepts('Properties may have names from Object.prototype.', {
    ...field(
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"integer"},"hasOwnProperty":{"type":"object","properties":{"__proto__":{"type":"string"}}}},"required":["__proto__","constructor"]}',
      ),
    ),
  }),
  refuses('Properties that are called like that have types.', {
    ...field(JSON.parse('{"type":"object","properties":{"__proto__":{},"constructor":{"type":"array"}}}')),
  }),
  accepts('A condition may restrict a missing property of such a name.', {
    ...field(object({ a: text }, { anyOf: [{ properties: JSON.parse('{"toString":{},"__proto__":{}}') }] })),
  }),
  refuses('Several errors are reported at once.', {
    ...specOf(object({ a: {}, b: { type: 'array' }, c: { type: 'text' }, d: { type: 'string', pattern: '(' } })),
  }),
  ...Object.entries(refusedEverywhere).map(([keyword, value]) =>
    refuses(`A schema has no ${keyword}.`, field({ type: 'object', [keyword]: value })),
  ),
  ...Object.entries(refusedEverywhere).map(([keyword, value]) =>
    refuses(`A condition has no ${keyword}.`, field(object({ a: text }, { anyOf: [{ [keyword]: value }] }))),
  ),
  accepts('That items need not be unique may be said.', field({ type: 'array', items: text, uniqueItems: false })),
  accepts('Empty definitions count as missing.', field({ type: 'object', definitions: {} })),
  refuses('Empty dependencies count as dependencies.', field({ type: 'object', dependencies: {} })),
  refuses('An empty reference is a reference.', field({ type: 'object', $ref: '' })),
  refuses('Schemas in definitions are checked too.', field({ type: 'object', definitions: { a: { type: 'x' } } })),
];

/** allOf, anyOf, oneOf and not. */
const conditions: readonly CorpusEntry[] = [
  accepts(
    'A condition may restrict a declared property.',
    field({ type: 'string', anyOf: [{ minLength: 1 }, { enum: ['a'] }] }),
  ),
  accepts('A condition may restrict properties that are there.', {
    ...field(object({ a: text }, { oneOf: [{ properties: { a: { minLength: 1 } } }, { required: ['a'] }] })),
  }),
  accepts('A condition may restrict items that are there.', {
    ...field({ type: 'array', items: text, not: { items: { maxLength: 3 } } }),
  }),
  accepts('Conditions may be in conditions.', {
    ...field(object({ a: text }, { allOf: [{ anyOf: [{ not: { properties: { a: { pattern: 'x' } } } }] }] })),
  }),
  accepts('A list of conditions may be empty.', field({ type: 'string', anyOf: [] })),
  accepts('A condition may be empty.', field({ type: 'string', not: {} })),
  refuses('A condition has no type.', field({ type: 'string', anyOf: [{ type: 'string' }] })),
  refuses('A condition has no title.', field({ type: 'string', allOf: [{ title: 't' }] })),
  refuses('A condition has no description.', field({ type: 'string', oneOf: [{ description: 'd' }] })),
  refuses('A condition has no default.', field({ type: 'string', not: { default: 'x' } })),
  refuses('A condition has no default that is empty.', field({ type: 'boolean', not: { default: false } })),
  refuses('A condition has no nulls.', field({ type: 'string', anyOf: [{ nullable: true }] })),
  refuses(
    'A condition knows of no other properties.',
    field({ type: 'object', anyOf: [{ additionalProperties: true }] }),
  ),
  accepts(
    'A condition may deny other properties.',
    field({ type: 'object', anyOf: [{ additionalProperties: false }] }),
  ),
  refuses('A condition has no schema of other properties.', {
    ...field({ type: 'object', additionalProperties: text, anyOf: [{ additionalProperties: { minLength: 1 } }] }),
  }),
  refuses('A condition preserves nothing.', field({ type: 'object', anyOf: [preserving] })),
  refuses(
    'A condition embeds nothing.',
    field({ type: 'object', anyOf: [{ 'x-kubernetes-embedded-resource': true }] }),
  ),
  refuses('A condition takes no integers or texts.', field({ ...text, anyOf: [intOrString] })),
  refuses('A condition has no list type.', {
    ...field({ type: 'array', items: text, anyOf: [{ 'x-kubernetes-list-type': 'atomic' }] }),
  }),
  refuses(
    'A condition has no keys.',
    field({ type: 'array', items: text, anyOf: [{ 'x-kubernetes-list-map-keys': ['a'] }] }),
  ),
  refuses('A condition has no list type that is empty.', {
    ...field({ type: 'string', anyOf: [{ 'x-kubernetes-list-type': '' }] }),
  }),
  refuses('A condition has no map type.', field({ type: 'object', anyOf: [{ 'x-kubernetes-map-type': 'atomic' }] })),
  refuses('A condition has no rules.', {
    ...field({ type: 'object', allOf: [{ 'x-kubernetes-validations': [{ rule: 'true' }] }] }),
  }),
  refuses(
    'A condition in a condition has no type either.',
    field({ ...text, allOf: [{ anyOf: [{ type: 'string' }] }] }),
  ),
  refuses('A property in a condition has no type.', {
    ...field(object({ a: text }, { anyOf: [{ properties: { a: { type: 'string' } } }] })),
  }),
  refuses('Items in a condition have no type.', field({ type: 'array', items: text, anyOf: [{ items: text }] })),
  accepts('A condition may restrict a property that is not there.', {
    ...field(object({ a: text }, { oneOf: [{ properties: { b: { minLength: 1 } } }] })),
  }),
  accepts(
    'A condition may restrict items that are not there.',
    field({ type: 'object', oneOf: [{ items: { minLength: 1 } }] }),
  ),
  accepts('A condition in a condition may restrict an undeclared property.', {
    ...field(object({ a: text }, { allOf: [{ anyOf: [{ properties: { a: { properties: { c: {} } } } }] }] })),
  }),
  accepts('A condition may restrict a property of a map.', {
    ...field({ type: 'object', additionalProperties: text, anyOf: [{ properties: { a: { minLength: 1 } } }] }),
  }),
  accepts('A condition may restrict a preserved field.', {
    ...field({ type: 'object', ...preserving, anyOf: [{ properties: { a: { minLength: 1 } } }] }),
  }),
  accepts(
    'A condition may require an undeclared property.',
    field(object({ a: text }, { anyOf: [{ required: ['b'] }] })),
  ),
  refuses('A pattern in a condition is valid.', field({ type: 'string', anyOf: [{ pattern: '(' }] })),
];

/** Int-or-string, and embedded resources. */
const extensions: readonly CorpusEntry[] = [
  ...Object.entries({ definitions: {}, patternProperties: {}, additionalProperties: false }).map(([keyword, value]) =>
    accepts(
      `Of an integer and a text, one may have ${keyword} that say nothing.`,
      field({ ...intOrString, anyOf: [{ type: 'integer' }, { type: 'string', [keyword]: value }] }),
    ),
  ),
  ...Object.entries({ $ref: '', dependencies: {} }).map(([keyword, value]) =>
    refuses(
      `Of an integer and a text, one with empty ${keyword} is told of that alone.`,
      field({ ...intOrString, anyOf: [{ type: 'integer', [keyword]: value }, { type: 'string' }] }),
    ),
  ),
  accepts(
    'The metadata may have definitions of nothing.',
    root(object({ metadata: { type: 'object', definitions: {}, patternProperties: {} } })),
  ),
  refuses(
    'Metadata with a list type are reported, even if it is empty.',
    root(object({ metadata: { type: 'object', 'x-kubernetes-list-type': '' } })),
  ),
  accepts('A value may be an integer or a text.', field(intOrString)),
  accepts('An integer or text may have a type, whatever that means.', field({ type: 'integer', ...intOrString })),
  accepts('An int-or-string may have the condition of both types.', field({ ...intOrString, anyOf: eitherType })),
  accepts(
    'An integer or text may say so in the first of all.',
    field({ ...intOrString, allOf: [{ anyOf: eitherType }, { pattern: 'x' }] }),
  ),
  accepts('An int-or-string may repeat the implied condition.', {
    ...field({
      ...intOrString,
      anyOf: [
        { type: 'integer', exclusiveMinimum: false },
        { type: 'string', title: '' },
      ],
    }),
  }),
  accepts('An int-or-string may have the implied condition with invalid items.', {
    ...field({ ...intOrString, anyOf: [integer, { type: 'string', items: 'x' }] }),
  }),
  refuses('An int-or-string has its condition in the first allOf, not later.', {
    ...field({ ...intOrString, allOf: [{ pattern: 'x' }, { anyOf: eitherType }] }),
  }),
  refuses(
    'An int-or-string has the types of its condition in this order.',
    field({ ...intOrString, anyOf: [text, integer] }),
  ),
  refuses('An int-or-string has its condition in only one form.', field({ ...intOrString, oneOf: eitherType })),
  refuses('An int-or-string has nothing else in its condition.', {
    ...field({ ...intOrString, anyOf: [integer, { type: 'string', minLength: 1 }] }),
  }),
  accepts('A string may have the condition of an int-or-string.', field({ type: 'string', anyOf: eitherType })),
  accepts('An integer or text may be restricted.', field({ ...intOrString, pattern: '^[0-9]+%$', maximum: 5 })),
  refuses('An integer or text preserves nothing.', field({ ...intOrString, ...preserving })),
  refuses('An integer or text embeds nothing.', field({ ...intOrString, 'x-kubernetes-embedded-resource': true })),
  accepts(
    'That a value is no integer or text may be said.',
    field({ type: 'string', 'x-kubernetes-int-or-string': false }),
  ),
  accepts('Items may be integers or texts.', field({ type: 'array', items: intOrString })),
  accepts('Values of a map may be integers or texts.', field({ type: 'object', additionalProperties: intOrString })),

  accepts('A resource may be embedded with unknown fields.', field({ ...embedding, ...preserving })),
  accepts(
    'A resource may be embedded, with properties.',
    field({ ...embedding, ...object({ spec: { type: 'object' } }) }),
  ),
  refuses('An embedded resource has properties.', field(embedding)),
  refuses('An embedded resource is no map.', field({ ...embedding, additionalProperties: text })),
  refuses(
    'An embedded resource takes no other properties.',
    field({ ...embedding, ...preserving, additionalProperties: true }),
  ),
  refuses('An embedded resource is no text.', field({ ...text, 'x-kubernetes-embedded-resource': true })),
  refuses('An embedded resource has a type.', field({ 'x-kubernetes-embedded-resource': true, ...preserving })),
  accepts('An embedded resource may be restricted in its labels.', {
    ...field({
      ...embedding,
      ...object({ metadata: object({ labels: { type: 'object', additionalProperties: text } }) }),
    }),
  }),
  refuses('Metadata of an embedded resource are an object.', field({ ...embedding, ...object({ metadata: text }) })),
  refuses('The kind of an embedded resource is a text.', field({ ...embedding, ...object({ kind: integer }) })),
  refuses(
    'The version of an embedded resource has a type.',
    field({ ...embedding, ...object({ apiVersion: preserving }) }),
  ),
  refuses('No resource is embedded in metadata.', {
    ...field({ ...embedding, ...object({ metadata: object({ x: { ...embedding, ...preserving } }) }) }),
  }),
  refuses('No resource is embedded in metadata of the resource.', {
    ...root(object({ metadata: object({ name: { ...embedding, ...preserving } }) })),
  }),
  accepts('A resource may be embedded in an embedded one.', {
    ...field({ ...embedding, ...object({ spec: { ...embedding, ...preserving } }) }),
  }),
];

/** Patterns, formats and values. */
const values: readonly CorpusEntry[] = [
  accepts('A pattern is a regular expression.', pattern('^[a-z]([-a-z0-9]*[a-z0-9])?$')),
  accepts('A pattern may be empty.', pattern('')),
  accepts('A pattern may name groups.', pattern('(?P<a>b)(?<c>d)')),
  accepts('A pattern may have flags.', pattern('(?i)a(?-i:b)')),
  accepts('A pattern may have classes of Unicode.', pattern('\\p{Greek}\\pL[[:alpha:]]')),
  accepts('A pattern may repeat 1,000 times.', pattern('a{1000}')),
  refuses('A pattern does not repeat more than 1,000 times.', pattern('a{1001}')),
  refuses('A pattern does not repeat more than that by repetition.', pattern('(a{100}){11}')),
  accepts('A brace that is not a quantifier matches itself.', pattern('a{,5}')),
  refuses('A pattern closes its brackets.', pattern('a(')),
  refuses('A pattern opens its brackets.', pattern('a)')),
  refuses('A pattern closes its classes.', pattern('[a')),
  refuses('A range in a class is ascending.', pattern('[z-a]')),
  refuses('A class of a name is known.', pattern('[[:foo:]]')),
  refuses('A class of Unicode is known.', pattern('\\p{Foo}')),
  refuses('A pattern repeats something.', pattern('*a')),
  refuses('A pattern repeats something once.', pattern('a**')),
  refuses('A pattern does not repeat downwards.', pattern('a{2,1}')),
  refuses('A pattern does not look ahead.', pattern('(?=a)b')),
  refuses('A pattern does not look behind.', pattern('(?<!a)b')),
  refuses('A pattern does not look back.', pattern('(a)\\1')),
  refuses('A pattern knows its escapes.', pattern('\\y')),
  refuses('A pattern has no escapes of JavaScript.', pattern('\\u0041')),
  refuses('A pattern does not end in an escape.', pattern('a\\')),
  accepts('A pattern may name groups alike.', pattern('(?P<a>b)(?P<a>c)')),
  accepts('A group may have a number for a name.', pattern('(?P<1>b)')),
  refuses('A pattern does not nest more than 1,000 levels.', pattern(`${'('.repeat(1001)}a${')'.repeat(1001)}`)),
  accepts('A number may have a pattern.', field({ type: 'integer', pattern: 'a' })),
  refuses('A pattern of a number is valid.', field({ type: 'integer', pattern: '(' })),
  ...['date-time', 'date', 'ipv4', 'cidr', 'uuid', 'byte', 'duration', 'k8s-short-name', 'k8s-long-name'].map(
    (format) => accepts(`A text may have the format ${format}.`, field({ type: 'string', format })),
  ),
  accepts(
    'A text may have a format that is not known, which is warned of.',
    field({ type: 'string', format: 'color' }),
  ),
  accepts('A text may have a format of numbers.', field({ type: 'string', format: 'int32' })),
  accepts('A number may have a format of texts.', field({ type: 'number', format: 'date' })),
  accepts('An integer may have a format.', field({ type: 'integer', format: 'int64' })),
  accepts('A number may have a format.', field({ type: 'number', format: 'double' })),
  accepts(
    'A condition may have a format.',
    field({ type: 'string', anyOf: [{ format: 'date' }, { format: 'color' }] }),
  ),
  accepts('Unknown formats are reported each time.', {
    ...field(object({ a: { type: 'string', format: 'b' }, c: { type: 'string', format: 'b' } })),
  }),
  accepts('Limits may be the wrong way round.', field({ type: 'integer', minimum: 5, maximum: 3 })),
  accepts(
    'Limits may be excluded.',
    field({ type: 'integer', minimum: 5, exclusiveMinimum: true, exclusiveMaximum: true }),
  ),
  accepts('Limits may be of another type.', field({ type: 'string', minimum: 5, minItems: 3, maxProperties: 1 })),
  accepts('Lengths may be below 0.', field({ type: 'string', maxLength: -1, minLength: -5 })),
  accepts('A number may be a multiple of nothing.', field({ type: 'number', multipleOf: 0 })),
  accepts('An enum may be empty.', field({ type: 'string', enum: [] })),
  accepts('An enum may have one value twice.', field({ type: 'string', enum: ['a', 'a'] })),
  accepts('An enum may have values of any type.', field({ type: 'string', enum: [1, null, { a: 1 }, ['b']] })),
  accepts('An example may be anything.', field({ type: 'string', example: { a: [1, null] } })),
  accepts(
    'Documents may be elsewhere.',
    field({ type: 'string', externalDocs: { url: 'not a url', description: 'x' } }),
  ),
];

/** Keywords of the root of a schema with a status subresource. */
const statusRoots: readonly CorpusEntry[] = [
  ...Object.entries(allowedWithStatus).map(([keyword, value]) =>
    accepts(
      `A resource with status may have ${keyword}.`,
      withStatus(object({ spec: { type: 'object' } }, { [keyword]: value })),
    ),
  ),
  ...Object.entries(refusedWithStatus).map(([keyword, value]) =>
    refuses(
      `A resource with status has no ${keyword}.`,
      withStatus(object({ spec: { type: 'object' } }, { [keyword]: value })),
    ),
  ),
  refuses('A resource with status has no $ref to nothing.', withStatus({ type: 'object', $ref: '' })),
  refuses('A resource with status is an object.', withStatus({ type: 'array', items: text })),
  refuses(
    'A resource with status is of one type before all else.',
    withStatus({ type: 'array', items: text, enum: [1] }),
  ),
  refuses(
    'What a resource with status may not say comes before its type.',
    withStatus({ type: 'array', items: text, id: 'a' }),
  ),
  accepts('A resource without status may be restricted.', root(object({ spec: { type: 'object' } }, refusedRoot()))),
];

function refusedRoot(): object {
  const { default: _, ...rest } = refusedWithStatus;
  return rest;
}

/** The shapes of schemas. */
export const structureEntries: readonly CorpusEntry[] = [
  ...structural,
  ...conditions,
  ...extensions,
  ...values,
  ...statusRoots,
];
