import { accepts, type CorpusEntry, field, refuses } from './corpus-entry.fixture.ts';

const text = { type: 'string' };
const set = (items: unknown) => field({ type: 'array', items, 'x-kubernetes-list-type': 'set' });
const keyed = { type: 'object', required: ['k'], properties: { k: text, v: text, o: { type: 'object' } } };
const map = (keys: unknown, items: unknown = keyed) =>
  field({ type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });
/** A list of items whose key has the schema. */
const key = (schema: unknown, more: object = {}) =>
  map(['k'], { type: 'object', properties: { k: schema }, required: ['k'], ...more });

/** List types and map types. */
export const listEntries: readonly CorpusEntry[] = [
  accepts(
    'A list may be replaced as a whole.',
    field({ type: 'array', items: keyed, 'x-kubernetes-list-type': 'atomic' }),
  ),
  refuses('A list is of one of three types.', field({ type: 'array', items: text, 'x-kubernetes-list-type': 'bag' })),
  refuses(
    'A list is of a type that is not empty.',
    field({ type: 'array', items: text, 'x-kubernetes-list-type': '' }),
  ),
  refuses('An object has no list type.', field({ type: 'object', 'x-kubernetes-list-type': 'set' })),
  refuses('What has no type has no list type.', {
    ...field({ 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-list-type': 'atomic' }),
  }),
  accepts('A set is of texts.', set(text)),
  accepts('A set may be of numbers.', set({ type: 'number' })),
  accepts('A set may be of integers or texts.', set({ 'x-kubernetes-int-or-string': true })),
  refuses('A set has no objects.', set({ type: 'object' })),
  refuses(
    'A set has no objects of which parts are owned.',
    set({ type: 'object', 'x-kubernetes-map-type': 'granular' }),
  ),
  accepts('A set may have objects that are whole.', set({ type: 'object', 'x-kubernetes-map-type': 'atomic' })),
  accepts('A set may have lists.', set({ type: 'array', items: text })),
  accepts(
    'A set may have lists that are whole.',
    set({ type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' }),
  ),
  refuses('A set has no sets.', set({ type: 'array', items: text, 'x-kubernetes-list-type': 'set' })),
  refuses('Items of a set are not null.', set({ type: 'string', nullable: true })),
  accepts('Items of a list that is whole may be null.', {
    ...field({ type: 'array', items: { type: 'string', nullable: true }, 'x-kubernetes-list-type': 'atomic' }),
  }),
  refuses('A set has no keys.', {
    ...field({ type: 'array', items: text, 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['a'] }),
  }),
  refuses('A list has no keys by itself.', field({ type: 'array', items: keyed, 'x-kubernetes-list-map-keys': ['k'] })),

  accepts('A list may have keys.', map(['k'])),
  accepts('A list may have several keys.', map(['k', 'v'], { ...keyed, required: ['k', 'v'] })),
  refuses('A list of keys has keys.', map(undefined)),
  refuses('A list of keys is not empty.', map([])),
  refuses('Keys are there once.', map(['k', 'k'])),
  refuses('Keys are properties.', map(['z'])),
  refuses('A property that is only inherited in JavaScript is missing.', map(['toString'])),
  refuses('Items of a list with keys are objects.', map(['k'], text)),
  refuses('A list with keys has items.', {
    ...field({ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }),
  }),
  refuses('A list with keys has items of one schema.', map(['k'], [keyed])),
  refuses('A list with keys has items that are no text.', map(['k'], 'x')),
  refuses('Items of a list with keys are not maps.', map(['k'], { type: 'object', additionalProperties: text })),
  refuses('Items of a list with keys are not null.', map(['k'], { ...keyed, nullable: true })),
  refuses('A key is not an object.', map(['o'], { ...keyed, required: ['o'] })),
  refuses('A key is not a list.', key({ type: 'array', items: text })),
  accepts('A key may be a number.', key({ type: 'number' })),
  accepts('A key may be an integer or text.', key({ 'x-kubernetes-int-or-string': true })),
  accepts('A key may be anything that is not said.', key({ 'x-kubernetes-preserve-unknown-fields': true })),
  refuses('A key is always there.', key(text, { required: [] })),
  accepts('A key may have a default.', key({ type: 'string', default: 'x' }, { required: [] })),
  accepts('A key may have a default and be required.', key({ type: 'string', default: 'x' })),
  refuses('A key whose default is null is not there.', key({ type: 'string', default: null }, { required: [] })),
  refuses('A key is not null.', key({ type: 'string', nullable: true })),
  refuses('A key that has a default is not null either.', {
    ...key({ type: 'string', default: 'x', nullable: true }, { required: [] }),
  }),
  refuses('All errors of keys are reported at once.', {
    ...map(['k', 'z', 'k', 'o'], { ...keyed, nullable: true, required: [] }),
  }),

  accepts('A map may be replaced as a whole.', field({ type: 'object', 'x-kubernetes-map-type': 'atomic' })),
  accepts('A map may be owned in parts.', field({ type: 'object', 'x-kubernetes-map-type': 'granular' })),
  refuses('A map is of one of two types.', field({ type: 'object', 'x-kubernetes-map-type': 'loose' })),
  refuses('A list has no map type.', field({ type: 'array', items: text, 'x-kubernetes-map-type': 'atomic' })),
  refuses('What has no type has no map type.', {
    ...field({ 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-map-type': 'atomic' }),
  }),
];
