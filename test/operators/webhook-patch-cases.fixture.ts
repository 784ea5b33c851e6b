import { Deployment, Pod } from '@evenkeel/kinds';
import {
  type CaseStep,
  core,
  Gadget,
  gadget,
  gadgets,
  map,
  maps,
  type Reviewed,
  type WebhookCase,
} from './webhook-case.fixture.ts';

/** Parts of the stored object, or of a refusal. */
const outcome = (expected: object): Partial<CaseStep> =>
  'code' in expected ? (expected as Partial<CaseStep>) : { body: expected };

/** What a mutating webhook changes in a ConfigMap, and what of it is stored. */
const changes = (
  title: string,
  change: (object: Reviewed) => void,
  expected: object,
  body: object = map({ a: 'b', c: 'd' }, { annotations: { kept: 'yes' } }),
): WebhookCase => ({
  title: `changes ${title}`,
  webhooks: [{ type: 'mutating', reviews: change }],
  steps: [{ request: ['POST', maps, body], ...outcome(expected) }],
});

/** The same for a Gadget, whose class does not know most of its fields. */
const changesGadget = (
  title: string,
  change: (spec: Reviewed, gadget: Reviewed) => void,
  spec: object,
  expected: Pick<CaseStep, 'code' | 'message'> = {},
  given: object = { size: 1, list: [1, 2, 3], deep: { unknown: { kept: [1, { x: null }] } } },
): WebhookCase => ({
  title: `changes a custom object: ${title}`,
  webhooks: [{ type: 'mutating', kind: Gadget, reviews: (object) => change(object.spec, object) }],
  steps: [{ request: ['POST', gadgets, gadget(given)], ...outcome(expected.code === undefined ? { spec } : expected) }],
});

const withPrototypeKeys = (text: string): object => JSON.parse(text) as object;
/** Objects in one another. */
const nested = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;

const kept = { deep: { unknown: { kept: [1, { x: null }] } } };
const containers = [
  { name: 'a', image: 'a' },
  { name: 'b', image: 'b', env: [{ name: 'X', value: '1' }] },
];

export const patchCases: readonly WebhookCase[] = [
  changes('nothing', () => undefined, { data: { a: 'b', c: 'd' }, metadata: { annotations: { kept: 'yes' } } }),
  changes(
    'a value and back',
    (object) => {
      object.data.a = 'x';
      object.data.a = 'b';
    },
    { data: { a: 'b', c: 'd' } },
  ),
  changes(
    'a value',
    (object) => {
      object.data.a = 'x';
    },
    { data: { a: 'x', c: 'd' } },
  ),
  changes(
    'a new value',
    (object) => {
      object.data.e = '';
    },
    { data: { a: 'b', c: 'd', e: '' } },
  ),
  changes(
    'a deleted value',
    (object) => {
      delete object.data.a;
    },
    { data: { c: 'd' } },
  ),
  changes(
    'a value to undefined',
    (object) => {
      object.data.a = undefined;
    },
    { data: { c: 'd' } },
  ),
  changes(
    'all values',
    (object) => {
      object.data = { z: '1' };
    },
    { data: { z: '1' } },
  ),
  changes(
    'labels of an object without labels',
    (object) => {
      object.metadata.labels = { 'example.com/app': 'x', tier: 'y' };
    },
    { metadata: { labels: { 'example.com/app': 'x', tier: 'y' }, annotations: { kept: 'yes' } } },
  ),
  changes(
    'an annotation with slashes and tildes in its name',
    (object) => {
      object.metadata.annotations['example.com/a'] = '~/1';
    },
    { metadata: { annotations: { kept: 'yes', 'example.com/a': '~/1' } } },
  ),
  changes(
    'keys with dots, dashes and indices',
    (object) => {
      object.data['0'] = 'zero';
      object.data['-'] = 'dash';
      object.data['a.b'] = 'dot';
    },
    { data: { '0': 'zero', '-': 'dash', 'a.b': 'dot' } },
  ),
  changes(
    'keys of prototypes',
    (object) => {
      object.data.constructor = 'c';
      object.data.toString = 't';
    },
    { data: { a: 'b', constructor: 'c', toString: 't' } },
  ),
  changes(
    'finalizers',
    (object) => {
      object.metadata.finalizers = ['cases.example.com/hold'];
    },
    { metadata: { finalizers: ['cases.example.com/hold'] } },
  ),
  changes(
    'other letters',
    (object) => {
      object.data.a = 'ä€😀\u0000\n"\\';
    },
    { data: { a: 'ä€😀\u0000\n"\\' } },
  ),
  changes(
    'a value to another type, which the API server rejects',
    (object) => {
      object.data.a = 5;
    },
    { code: 500, message: /cannot unmarshal number into Go struct field ConfigMap\.data of type string$/ },
  ),
  changes(
    'the name, which the API server rejects',
    (object) => {
      object.data['a b'] = 'x';
    },
    { code: 422, message: /data\[a b\]: Invalid value: "a b"/ },
  ),
  {
    title: 'changes nothing if it denies',
    webhooks: [
      {
        type: 'mutating',
        reviews: (object, review) => {
          object.data.a = 'x';
          review.deny('no');
        },
      },
    ],
    steps: [
      { request: ['POST', maps, map({ a: 'b' })], code: 403, message: 'denied the request: no' },
      { request: ['GET', `${maps}/map`], code: 404 },
    ],
  },
  {
    title: 'changes updates, patches and applies',
    webhooks: [
      {
        type: 'mutating',
        reviews: (object, { operation, oldObject }) => {
          object.data = { ...object.data, by: `${operation} ${oldObject?.data?.by ?? 'none'}` };
        },
      },
    ],
    steps: [
      { request: ['POST', maps, map()], body: { data: { by: 'create none' } } },
      { request: ['PUT', `${maps}/map`, map({ a: 'b' })], body: { data: { a: 'b', by: 'update create none' } } },
      {
        request: ['PATCH', `${maps}/map`, { data: { by: 'x' } }, { contentType: 'application/merge-patch+json' }],
        body: { data: { by: 'update update create none' } },
      },
      {
        request: [
          'PATCH',
          `${maps}/map?fieldManager=me&force=true`,
          map({ c: 'd' }),
          { contentType: 'application/apply-patch+yaml' },
        ],
        body: { data: { a: 'b', c: 'd', by: 'update update update create none' } },
      },
    ],
  },
  {
    title: 'changes an object only in a dry run',
    webhooks: [
      {
        type: 'mutating',
        reviews: (object, { dryRun }) => {
          if (dryRun) object.data.dry = 'yes';
        },
      },
    ],
    steps: [
      { request: ['POST', `${maps}?dryRun=All`, map({ a: 'b' })], body: { data: { a: 'b', dry: 'yes' } } },
      { request: ['GET', `${maps}/map`], code: 404 },
      { request: ['POST', maps, map({ a: 'b' })], body: { data: { a: 'b' } } },
    ],
  },
  changesGadget(
    'a field, and no unknown one',
    (spec) => {
      spec.size = 3;
    },
    { size: 3, list: [1, 2, 3], ...kept },
    {},
  ),
  changesGadget('the end of a list', (spec) => void spec.list.push(4), { list: [1, 2, 3, 4] }, {}),
  changesGadget('the start of a list', (spec) => void spec.list.unshift(0), { list: [0, 1, 2, 3] }, {}),
  changesGadget('the middle of a list', (spec) => void spec.list.splice(1, 1), { list: [1, 3] }, {}),
  changesGadget('the order of a list', (spec) => void spec.list.reverse(), { list: [3, 2, 1] }, {}),
  changesGadget(
    'an element of a list',
    (spec) => {
      spec.list[1] = { a: 1 };
    },
    { list: [1, { a: 1 }, 3] },
    {},
  ),
  changesGadget(
    'a list to an empty one',
    (spec) => {
      spec.list.length = 0;
    },
    { list: [] },
    {},
  ),
  changesGadget(
    'values of each type',
    (spec) => {
      Object.assign(spec, {
        text: '',
        no: false,
        zero: 0,
        fraction: 1.5,
        empty: {},
        none: [],
        nested: { a: [{ b: {} }] },
      });
    },
    { text: '', no: false, zero: 0, fraction: 1.5, empty: {}, none: [], nested: { a: [{ b: {} }] } },
    {},
  ),
  changesGadget(
    'a value to null',
    (spec) => {
      spec.list = null;
    },
    { size: 1, list: null },
    {},
  ),
  changesGadget(
    'names that must be escaped',
    (spec) => {
      Object.assign(spec, { 'a/b': 1, '~': 2, '~1': 3, '': 4, 'a b': 5 });
      delete spec.deep['x/y'];
    },
    { 'a/b': 1, '~': 2, '~1': 3, '': 4, 'a b': 5, deep: {} },
    {},
    { deep: { 'x/y': 1 } },
  ),
  changesGadget(
    'a date',
    (spec) => {
      spec.time = new Date(0);
    },
    { time: '1970-01-01T00:00:00.000Z' },
    {},
  ),
  changesGadget(
    'the whole specification',
    (_, object) => {
      object.spec = { size: 9 };
    },
    { size: 9 },
    {},
  ),
  changesGadget(
    'a deep unknown field',
    (spec) => {
      spec.deep.unknown.kept[1].y = 2;
    },
    { deep: { unknown: { kept: [1, { x: null, y: 2 }] } } },
    {},
  ),
  changesGadget(
    'a value against the schema of its CRD',
    (spec) => {
      spec.size = 'large';
    },
    {},
    { code: 422, message: /spec\.size: Invalid value: "string": spec\.size in body must be of type integer: "string"/ },
  ),
  changesGadget(
    'a value that is no JSON',
    (spec) => {
      spec.size = 10n;
    },
    {},
    { code: 500, message: /failed with \w+; the log of the operator has the details$/ },
  ),
  changesGadget(
    'beside keys of prototypes, which stay',
    (spec) => {
      spec.size = 3;
    },
    withPrototypeKeys('{"size":3,"__proto__":{"size":4},"constructor":{"a":1}}'),
    {},
    withPrototypeKeys('{"size":1,"__proto__":{"size":4},"constructor":{"a":1}}'),
  ),
  changesGadget(
    'with 400 levels',
    (spec) => {
      spec.size = 3;
    },
    { size: 3 },
    {},
    { size: 1, deep: nested(400) },
  ),
  changesGadget(
    'of a megabyte',
    (spec) => {
      spec.size = spec.text.length;
    },
    { size: 1_000_000 },
    {},
    { size: 1, text: 'x'.repeat(1_000_000) },
  ),
  {
    title: 'does not store the empty status that the class declares',
    webhooks: [
      {
        type: 'mutating',
        kind: Gadget,
        reviews: (object, _, see) => {
          see(object.status);
          object.spec.size = 2;
        },
      },
    ],
    steps: [
      { request: ['POST', gadgets, gadget({ size: 1 })], body: { spec: { size: 2 } }, seen: [{}] },
      { request: ['GET', `${gadgets}/gadget`], body: { spec: { size: 2 } } },
    ],
  },
  {
    title: 'adds a container to a Pod, with the defaults of the API server',
    webhooks: [
      {
        type: 'mutating',
        kind: Pod,
        operations: ['create'],
        reviews: (pod) => {
          pod.spec.containers.splice(1, 0, { name: 'proxy', image: 'proxy:1' });
          pod.spec.containers[2].env.push({ name: 'PROXY', value: 'on' });
        },
      },
    ],
    steps: [
      {
        request: ['POST', `${core}/pods`, { metadata: { name: 'pod' }, spec: { containers } }],
        body: {
          spec: {
            containers: [
              { name: 'a' },
              {
                name: 'proxy',
                image: 'proxy:1',
                imagePullPolicy: 'IfNotPresent',
                terminationMessagePath: '/dev/termination-log',
              },
              {
                name: 'b',
                env: [
                  { name: 'X', value: '1' },
                  { name: 'PROXY', value: 'on' },
                ],
              },
            ],
          },
        },
      },
    ],
  },
  {
    title: 'changes the template of a Deployment',
    webhooks: [
      {
        type: 'mutating',
        kind: Deployment,
        reviews: (deployment) => {
          deployment.spec.template.spec.nodeSelector = { disk: 'fast' };
          deployment.spec.replicas = 2;
        },
      },
    ],
    steps: [
      {
        request: [
          'POST',
          '/apis/apps/v1/namespaces/{ns}/deployments',
          {
            metadata: { name: 'web' },
            spec: {
              selector: { matchLabels: { app: 'web' } },
              template: { metadata: { labels: { app: 'web' } }, spec: { containers } },
            },
          },
        ],
        body: { spec: { replicas: 2, template: { spec: { nodeSelector: { disk: 'fast' } } } } },
      },
    ],
  },
];
