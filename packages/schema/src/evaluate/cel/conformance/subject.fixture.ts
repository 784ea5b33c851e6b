import type { StructuralSchema } from '../../structural-schema.ts';

/**
 * An expression; the API server's result (a value, an error, or the reason why it is rejected); the cost, if it ended
 * without an error; and the maximal cost for any subject, if it can be computed exactly.
 */
export type ConformanceRow = readonly [
  expression: string,
  outcome: boolean | string | { refused: string },
  cost?: number | null,
  estimate?: number | null,
];

const point: StructuralSchema = {
  type: 'object',
  properties: {
    x: { type: 'integer' },
    y: { type: 'string' },
    p: { type: 'object', properties: { q: { type: 'string' } } },
  },
};
const set: StructuralSchema = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
const keyed: StructuralSchema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'integer' } } },
};

/** The schema of `self` in all rows. */
export const subjectSchema: StructuralSchema = {
  type: 'object',
  properties: {
    i: { type: 'integer' },
    j: { type: 'integer', format: 'int64' },
    d: { type: 'number' },
    b: { type: 'boolean' },
    s: { type: 'string', maxLength: 100 },
    t: { type: 'string' },
    by: { type: 'string', format: 'byte' },
    date: { type: 'string', format: 'date' },
    dt: { type: 'string', format: 'date-time' },
    dur: { type: 'string', format: 'duration' },
    ios: { 'x-kubernetes-int-or-string': true },
    ios2: { 'x-kubernetes-int-or-string': true },
    li: { type: 'array', items: { type: 'integer' } },
    ls: { type: 'array', items: { type: 'string' } },
    ld: { type: 'array', items: { type: 'number' } },
    lb: { type: 'array', items: { type: 'boolean' } },
    ll: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    lset: set,
    lset2: set,
    lmap: keyed,
    lmap2: keyed,
    m: { type: 'object', additionalProperties: { type: 'string' } },
    mi: { type: 'object', additionalProperties: { type: 'integer' } },
    mo: { type: 'object', additionalProperties: { type: 'object', properties: { x: { type: 'integer' } } } },
    o: point,
    o2: point,
    n: { type: 'string', nullable: true },
    ni: { type: 'integer' },
    nolist: { type: 'array', items: { type: 'string' } },
    noobj: { type: 'object', properties: { x: { type: 'integer' } } },
    pres: { 'x-kubernetes-preserve-unknown-fields': true },
    presobj: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    emb: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    'a-b': { type: 'string' },
    'a.b': { type: 'string' },
    'a/b': { type: 'string' },
    a__b: { type: 'string' },
    namespace: { type: 'string' },
    'a b': { type: 'string' },
    '1a': { type: 'string' },
    in: { type: 'integer' },
    self: { type: 'string' },
  },
};

/** The value of `self` in all rows. */
export const subject = {
  i: 3,
  j: 1000000,
  d: 2.5,
  b: true,
  s: 'hello wörld',
  t: '',
  by: 'aGVsbG8=',
  date: '2024-02-29',
  dt: '2024-03-10T12:34:56.789+02:00',
  dur: '1h30m',
  ios: 5,
  ios2: '50%',
  li: [1, 2, 3, 4, 5],
  ls: ['a', 'bb', 'ccc'],
  ld: [1, 2.5, 3],
  lb: [true, false],
  ll: [[1, 2], [3], []],
  lset: ['x', 'y', 'z'],
  lset2: ['z', 'y', 'x'],
  lmap: [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ],
  lmap2: [
    { k: 'b', v: 2 },
    { k: 'a', v: 1 },
  ],
  m: { a: '1', b: '2', 'c.d': '3' },
  mi: { x: 1, y: 2 },
  mo: { k: { x: 1 } },
  o: { x: 1, y: 'y', p: { q: 'z' } },
  o2: { y: 'y', x: 1, p: { q: 'z' } },
  n: null,
  pres: { z: 1 },
  presobj: { z: 1 },
  emb: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
  'a-b': 'dash',
  'a.b': 'dot',
  'a/b': 'slash',
  a__b: 'under',
  namespace: 'ns',
  'a b': 'sp',
  '1a': 'x',
  in: 1,
  self: 'me',
};
