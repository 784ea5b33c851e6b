import { accepts, type CorpusEntry, field, refuses, root } from './corpus-entry.fixture.ts';

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const embedded = (properties: object, more: object = {}) => ({
  ...object(properties, more),
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
});
const rule = (text: string, more: object = {}) => ({ 'x-kubernetes-validations': [{ rule: text, ...more }] });

/** Default values. */
export const defaultEntries: readonly CorpusEntry[] = [
  accepts('A text may have a default.', field({ type: 'string', default: 'x' })),
  accepts('A default may be empty.', field({ type: 'string', default: '' })),
  accepts('A default may be false.', field({ type: 'boolean', default: false })),
  accepts('A number may have a whole default.', field({ type: 'number', default: 5 })),
  refuses('A default is of its type.', field({ type: 'string', default: 5 })),
  refuses('A default of an integer is whole.', field({ type: 'integer', default: 1.5 })),
  refuses('A default is not above the limit.', field({ type: 'integer', default: 5, maximum: 3 })),
  refuses(
    'A default is not at a limit that is excluded.',
    field({ type: 'integer', default: 3, maximum: 3, exclusiveMaximum: true }),
  ),
  refuses('A default is not too long.', field({ type: 'string', default: 'abc', maxLength: 2 })),
  refuses('A default fits the pattern.', field({ type: 'string', default: 'b', pattern: '^a' })),
  refuses('A default is in the enum.', field({ type: 'string', default: 'c', enum: ['a', 'b'] })),
  refuses('A default fits the format.', field({ type: 'string', default: 'x', format: 'date' })),
  accepts(
    'A default need not fit a format that is not known.',
    field({ type: 'string', default: 'x', format: 'color' }),
  ),
  refuses(
    'A default is within the format of an integer.',
    field({ type: 'integer', default: 2147483648, format: 'int32' }),
  ),
  accepts('An integer or text may have a default.', field({ 'x-kubernetes-int-or-string': true, default: '5%' })),
  accepts(
    'A default of int-or-string may have another type, because there is no type.',
    field({ 'x-kubernetes-int-or-string': true, default: true }),
  ),
  accepts('A null default is no default.', field({ type: 'string', default: null })),
  accepts(
    'A null default is no default for a nullable field.',
    field({ type: 'string', nullable: true, default: null }),
  ),
  refuses('A default fits the conditions.', field({ type: 'string', default: 'x', not: { enum: ['x'] } })),
  refuses(
    'A default fits one condition alone.',
    field({ type: 'string', default: 'x', oneOf: [{ minLength: 1 }, { maxLength: 1 }] }),
  ),
  accepts('A default may have fields.', field(object({ a: text }, { default: { a: 'x' } }))),
  refuses('A default has no unknown fields.', field(object({ a: text }, { default: { a: 'x', b: 1 } }))),
  refuses(
    'A default has no unknown fields in items.',
    field({ type: 'array', items: object({ a: text }), default: [{ b: 1 }] }),
  ),
  accepts('A default may have unknown fields that are preserved.', {
    ...field({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: { b: [1] } }),
  }),
  refuses(
    'A default has no null for a field that is not nullable.',
    field(object({ a: text }, { default: { a: null } })),
  ),
  accepts(
    'A default may have nulls where there may be.',
    field(object({ a: { type: 'string', nullable: true } }, { default: { a: null } })),
  ),
  refuses('A default has the required properties.', field(object({ a: text }, { required: ['a'], default: {} }))),
  refuses('A default has the required properties, even those with a default.', {
    ...field(object({ a: { type: 'string', default: 'x' } }, { required: ['a'], default: {} })),
  }),
  accepts('A default of a set may have a value twice, which no object may.', {
    ...field({ type: 'array', items: text, 'x-kubernetes-list-type': 'set', default: ['a', 'a'] }),
  }),
  accepts('A default of a list has no value twice where it may.', {
    ...field({ type: 'array', items: text, default: ['a', 'a'] }),
  }),
  refuses(
    'A default in items fits too.',
    field({ type: 'array', items: object({ a: { type: 'string', default: 5 } }) }),
  ),
  refuses(
    'A default of items has no unknown fields.',
    field({ type: 'array', items: object({}, { default: { z: 1 } }) }),
  ),
  accepts('A default in a map is not checked.', {
    ...field({ type: 'object', additionalProperties: object({ a: { type: 'string', default: 5 } }) }),
  }),
  refuses('Each default is checked separately.', {
    ...field(
      object({ a: { type: 'string', default: 5 }, b: { type: 'integer', default: 'x' } }, { default: { a: 1 } }),
    ),
  }),
  accepts(
    'The default of a map may have any key.',
    field({ type: 'object', additionalProperties: text, default: { a: 'b' } }),
  ),
  refuses(
    'The default of a map has values that fit.',
    field({ type: 'object', additionalProperties: text, default: { a: 1 } }),
  ),
  accepts('A default may have a name from Object.prototype.', {
    ...field(
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string","default":"a"}},"default":{"__proto__":"b"}}',
      ),
    ),
  }),
  refuses('A default of such a name satisfies its schema.', {
    ...field(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"default":{"__proto__":5}}')),
  }),
  refuses(
    'A default of such a name has no unknown fields.',
    field(JSON.parse('{"type":"object","default":{"__proto__":{}}}')),
  ),

  refuses(
    'A default of a resource has kind and version.',
    root(object({ spec: { type: 'object' } }, { default: { spec: {} } })),
  ),
  refuses(
    'A default of a resource has no unknown fields.',
    root(object({ spec: object({}) }, { default: { spec: { a: 1 } } })),
  ),
  refuses(
    'A name of a resource has no default.',
    root(object({ metadata: object({ name: { type: 'string', default: 'x' } }) })),
  ),
  refuses('A kind of a resource has no default.', root(object({ kind: { type: 'string', default: 'x' } }))),
  refuses('Metadata of a resource have no default.', root(object({ metadata: { type: 'object', default: {} } }))),
  accepts(
    'The kind of an embedded resource may have a default.',
    field(embedded({ kind: { type: 'string', default: 'Pod' } })),
  ),
  refuses('The kind of an embedded resource has a valid default.', {
    ...field(embedded({ kind: { type: 'string', default: 'under_score' } })),
  }),
  refuses('The version of an embedded resource has a valid default.', {
    ...field(embedded({ apiVersion: { type: 'string', default: 'a/b/c' } })),
  }),
  accepts('The name of an embedded resource may have a default.', {
    ...field(embedded({ metadata: object({ name: { type: 'string', default: 'a' } }) })),
  }),
  refuses('The name of an embedded resource has a valid default.', {
    ...field(embedded({ metadata: object({ name: { type: 'string', default: 'a/b' } }) })),
  }),
  refuses('Labels of an embedded resource have no default for each.', {
    ...field(
      embedded({
        metadata: object({ labels: { type: 'object', additionalProperties: { type: 'string', default: 'x' } } }),
      }),
    ),
  }),
  accepts('Labels of an embedded resource may have a default.', {
    ...field(
      embedded({ metadata: object({ labels: { type: 'object', additionalProperties: text, default: { a: 'b' } } }) }),
    ),
  }),
  refuses('Labels of an embedded resource have a default of texts.', {
    ...field(
      embedded({
        metadata: object({ labels: { type: 'object', additionalProperties: text, default: { a: { b: 1 } } } }),
      }),
    ),
  }),
  refuses('Labels of an embedded resource have a default that may be.', {
    ...field(
      embedded({
        metadata: object({ labels: { type: 'object', additionalProperties: text, default: { 'a b': 'c' } } }),
      }),
    ),
  }),
  refuses('An embedded resource has a default with a kind.', field(embedded({}, { default: { apiVersion: 'v1' } }))),
  accepts(
    'An embedded resource may have a default.',
    field(embedded({}, { default: { apiVersion: 'v1', kind: 'Pod' } })),
  ),
  accepts('A default of an embedded resource may have a name that may not be.', {
    ...field(embedded({}, { default: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'A' } } })),
  }),
  accepts('A default of an embedded resource may have metadata that are not known.', {
    ...field(embedded({}, { default: { apiVersion: 'v1', kind: 'Pod', metadata: { nam: 'a' } } })),
  }),

  accepts('A default keeps the rules.', field({ type: 'integer', default: 5, ...rule('self > 3') })),
  refuses(
    'A default does not break a rule.',
    field({ type: 'integer', default: 5, ...rule('self < 3', { message: 'too many' }) }),
  ),
  refuses('A default does not break a rule of a field.', {
    ...field(object({ a: { type: 'integer', ...rule('self < 3') } }, { default: { a: 5 } })),
  }),
  refuses(
    'No other error is reported for a default whose kind is not a string.',
    root(object({}, { default: { kind: 5 } })),
  ),
  refuses('No other error is reported for a default with invalid metadata.', {
    ...field(embedded({}, { default: { metadata: 5 } })),
  }),
  refuses('A default has no duplicate items for uniqueItems, which is not allowed.', {
    ...field({ type: 'array', items: text, uniqueItems: true, default: ['a', 'a'] }),
  }),
  accepts('A default may have what only a condition forbids.', {
    ...field({ ...object({ b: text }), default: { b: 'x' }, anyOf: [{ additionalProperties: false }] }),
  }),
  refuses('A default does not make a rule fail.', field({ type: 'integer', default: 0, ...rule('5 / self > 1') })),
  refuses('A default keeps the rules as a value that was not there.', {
    ...field({
      type: 'integer',
      default: 5,
      ...rule('oldSelf.hasValue() && self == oldSelf.value()', { optionalOldSelf: true }),
    }),
  }),
  refuses('A default keeps the rules as a value that stays.', {
    ...field({ type: 'integer', default: 5, ...rule('!oldSelf.hasValue()', { optionalOldSelf: true }) }),
  }),
  refuses('A default keeps the rules on change.', field({ type: 'integer', default: 5, ...rule('self > oldSelf') })),
  accepts('A default need not satisfy the rules of its parents.', {
    ...field(object({ a: { type: 'integer', default: 5 } }, rule('!has(self.a) || self.a < 3'))),
  }),
  refuses('A default of properties in a map keeps no rules of theirs.', {
    ...field(
      object({ a: { type: 'integer', ...rule('self < 3') } }, { additionalProperties: text, default: { a: 5 } }),
    ),
  }),
  refuses('The reason of a violated rule is reported.', {
    ...field({ type: 'integer', default: 5, ...rule('self < 3', { reason: 'FieldValueForbidden' }) }),
  }),
  refuses('The message of a violated rule is reported.', {
    ...field({ type: 'integer', default: 5, ...rule('self < 3', { messageExpression: "'not ' + string(self)" }) }),
  }),
];
