import type { TestedRequest } from './admission-requests.fixture.ts';
import { deny, patch } from './admission-webhook.fixture.ts';
import type { AdmissionCase } from './webhook-cases.fixture.ts';

export const bookGroup = 'books.example.com';

const path = (version: string, name = '', query = ''): string =>
  `/apis/${bookGroup}/${version}/namespaces/default/books${name === '' ? '' : `/${name}`}${query}`;

const book = (version: string, name: string, spec: object, metadata: object = {}): object => ({
  apiVersion: `${bookGroup}/${version}`,
  kind: 'Book',
  metadata: { name, ...metadata },
  spec,
});

const create = (version: string, name: string, spec: object, metadata?: object): TestedRequest => [
  'POST',
  path(version),
  book(version, name, spec, metadata),
];
const merge = (version: string, name: string, change: object): TestedRequest => [
  'PATCH',
  path(version, name),
  change,
  { contentType: 'application/merge-patch+json' },
];
const apply = (version: string, name: string, spec: object): TestedRequest => [
  'PATCH',
  path(version, name, '?fieldManager=me'),
  book(version, name, spec),
  { contentType: 'application/apply-patch+yaml' },
];

const rules = (apiVersions: readonly string[], resources: readonly string[] = ['books', 'books/status']): object => ({
  rules: [{ operations: ['*'], apiGroups: [bookGroup], apiVersions, resources }],
});

/** Requests through one version of a kind that a webhook converts, and admission webhooks that ask for another. */
export const convertedCases: readonly AdmissionCase[] = [
  {
    title: 'shows every write in the version of the rule',
    validating: [{ path: 'v', options: rules(['v2']) }],
    requests: [
      create('v1', 'written', { name: 'A' }),
      ['PUT', path('v1', 'written'), book('v1', 'written', { name: 'B', tags: { x: 'y' } }, { resourceVersion: '' })],
      merge('v1', 'written', { spec: { name: 'C' } }),
      // The real server starts with a cached state of each version, which may be old until it is read.
      ['GET', path('v2', 'written')],
      merge('v2', 'written', { spec: { title: 'D' } }),
      ['PATCH', path('v1', 'written/status'), { status: { sold: 1 } }, { contentType: 'application/merge-patch+json' }],
      ['POST', path('v1', '', '?dryRun=All'), book('v1', 'dry', { name: 'A' })],
      ['DELETE', path('v1', 'written')],
    ],
  },
  {
    title: 'changes an object in the version of the rule',
    mutating: [
      { path: 'm', options: rules(['v2']), answer: patch({ op: 'add', path: '/spec/title', value: 'changed' }) },
    ],
    requests: [
      create('v1', 'changed', { name: 'A', pages: 3 }),
      merge('v1', 'changed', { spec: { pages: 4 } }),
      create('v2', 'own', { title: 'A' }),
      apply('v1', 'applied', { name: 'A' }),
      apply('v1', 'applied', { name: 'B', pages: 2 }),
    ],
  },
  {
    title: 'is not asked in an equivalent version if it wants the exact one',
    validating: [{ path: 'v', options: { ...rules(['v2']), matchPolicy: 'Exact' } }],
    requests: [create('v1', 'exact', { name: 'A' }), create('v2', 'exact-2', { title: 'A' })],
  },
  {
    title: 'asks each webhook in its version',
    mutating: [
      { path: 'm1', options: rules(['v1']), answer: patch({ op: 'add', path: '/spec/pages', value: 1 }) },
      { path: 'm2', options: rules(['v2']), answer: patch({ op: 'add', path: '/spec/tags', value: { a: 'b' } }) },
    ],
    validating: [{ path: 'v2', options: rules(['v2']) }],
    requests: [create('v1', 'both', { name: 'A' }), create('v2', 'both-2', { title: 'A' })],
  },
  {
    title: 'validates in two versions',
    validating: [
      { path: 'v1', options: rules(['v1']) },
      { path: 'v2', options: rules(['v2']) },
    ],
    requests: [create('v1', 'two', { name: 'A' }), create('v2', 'two-2', { title: 'A' })],
  },
  {
    title: 'meets conditions in the version of the request',
    validating: [
      {
        path: 'v',
        options: {
          ...rules(['v2']),
          matchConditions: [{ name: 'titled', expression: "has(object.spec.title) && object.spec.title == 'A'" }],
        },
        answer: deny('titled'),
      },
    ],
    requests: [create('v1', 'met', { name: 'A' }), create('v2', 'met-2', { title: 'A' })],
  },
  {
    title: 'is selected by labels before the conversion',
    validating: [{ path: 'v', options: { ...rules(['v2']), objectSelector: { matchLabels: { pick: 'me' } } } }],
    requests: [create('v1', 'plain', { name: 'A' }), create('v1', 'picked', { name: 'A' }, { labels: { pick: 'me' } })],
  },
  {
    title: 'makes an object invalid in the version of the rule',
    mutating: [
      {
        path: 'm',
        options: rules(['v2']),
        answer: patch(
          { op: 'add', path: '/spec/pages', value: 'many' },
          { op: 'add', path: '/spec/unknown', value: 1 },
        ),
      },
    ],
    requests: [create('v1', 'invalid', { name: 'A' })],
  },
  {
    title: 'is not asked if the conversion fails',
    mutating: [{ path: 'm', options: rules(['v2']) }],
    validating: [{ path: 'v', options: rules(['v2']) }],
    requests: [create('v1', 'broken', { name: 'A' }), create('v2', 'broken-2', { title: 'A' })],
  },
  {
    title: 'is ignored, but not the failure of a conversion',
    validating: [{ path: 'v', options: { ...rules(['v2']), failurePolicy: 'Ignore' } }],
    requests: [create('v1', 'broken', { name: 'A' })],
  },
  {
    title: 'rejects the objects of a collection',
    before: [create('v1', 'in-collection', { name: 'A' }, { labels: { of: 'collection' } })],
    validating: [{ path: 'v', options: rules(['v2']), answer: deny('no') }],
    requests: [['DELETE', path('v1', '', '?labelSelector=of=collection')]],
  },
];
