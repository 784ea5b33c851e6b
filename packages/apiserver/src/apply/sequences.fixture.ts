import type { JsonObject } from '@evenkeel/apimachinery/json';

/** One request. `body` is without apiVersion, kind and name, except for patches; a function gets the object so far. */
export interface Step {
  readonly do: 'create' | 'update' | 'apply' | 'json' | 'merge' | 'strategic';
  readonly by: string;
  readonly body: unknown | ((live: JsonObject) => unknown);
  readonly force?: boolean;
  readonly at?: 'status';
  /** Which of the kind's versions the request speaks; the first by default. */
  readonly version?: number;
  /** The server's later validation may refuse the result: only what it found to be null is compared then. */
  readonly mayBeInvalid?: boolean;
}

export interface Sequence {
  readonly title: string;
  readonly kind: 'ConfigMap' | 'Deployment' | 'Service' | 'Widget';
  readonly steps: readonly Step[];
}

const apply = (by: string, body: unknown, options: Partial<Step> = {}): Step => ({ do: 'apply', by, body, ...options });
const force = { force: true };
const status = { at: 'status' } as const;
const mayBeInvalid = { mayBeInvalid: true };
const create = (by: string, body: unknown): Step => ({ do: 'create', by, body });
const update = (by: string, body: unknown, options: Partial<Step> = {}): Step => ({
  do: 'update',
  by,
  body,
  ...options,
});
const merge = (by: string, body: unknown, options: Partial<Step> = {}): Step => ({ do: 'merge', by, body, ...options });
const json = (by: string, body: unknown): Step => ({ do: 'json', by, body });
const strategic = (by: string, body: unknown): Step => ({ do: 'strategic', by, body });
const changed = (change: (live: JsonObject) => JsonObject) => (live: JsonObject) => change(structuredClone(live));
const withSpec = (spec: JsonObject) =>
  changed((live) => ({ ...live, spec: { ...(live['spec'] as JsonObject), ...spec } }));
const withMetadata = (metadata: JsonObject) =>
  changed((live) => ({ ...live, metadata: { ...(live['metadata'] as JsonObject), ...metadata } }));

const pod = (containers: unknown[], labels: JsonObject = { app: 'a' }) => ({
  spec: { selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels }, spec: { containers } } },
});
const lastApplied = (data: JsonObject, name: string) => ({
  'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
    data,
  }),
});

const configMaps: readonly [string, ...Step[]][] = [
  [
    'two appliers share a value',
    apply('a', { data: { x: '1', y: '2' } }),
    apply('b', { data: { x: '1' } }),
    apply('b', { data: { x: '1' } }),
  ],
  ['a conflict with one applier', apply('a', { data: { x: '1' } }), apply('b', { data: { x: '2' } })],
  [
    'conflicts with several managers',
    apply('a', { data: { x: '1', y: '1' } }),
    merge('u', { data: { z: '1' } }),
    apply('b', { data: { x: '2', y: '2', z: '2' } }),
  ],
  [
    'a forced apply takes over',
    apply('a', { data: { x: '1', y: '1' } }),
    apply('b', { data: { x: '2' } }, force),
    apply('a', { data: { y: '1' } }),
  ],
  [
    'what is not applied any more goes',
    apply('a', { data: { x: '1', y: '1' } }),
    apply('a', { data: { y: '1' } }),
    apply('a', {}),
  ],
  [
    'what another applier has stays',
    apply('a', { data: { x: '1' } }),
    apply('b', { data: { x: '1' } }),
    apply('a', {}),
  ],
  [
    'an update takes over and an apply conflicts with it',
    apply('a', { data: { x: '1' } }),
    update('u', { data: { x: '2' } }),
    apply('a', { data: { x: '3' } }),
  ],
  [
    'an update removes what an applier owned',
    apply('a', { data: { x: '1', y: '1' } }),
    update('u', { data: { y: '1' } }),
    apply('a', { data: { x: '1', y: '1' } }),
  ],
  [
    'created, then applied',
    create('c', { data: { x: '1' }, immutable: false }),
    apply('a', { data: { x: '1', y: '2' } }),
  ],
  [
    'labels, annotations and finalizers',
    create('c', { metadata: { labels: { a: '1' }, annotations: { b: '2' }, finalizers: ['x.io/a'] } }),
    merge('m', { metadata: { labels: { a: null, c: '3' } } }),
    apply('a', { metadata: { finalizers: ['x.io/b', 'x.io/a'] } }),
    apply('a', { metadata: { finalizers: ['x.io/a'] } }),
  ],
  [
    'owner references by uid',
    create('c', { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u1' }] } }),
    apply('a', { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'y', uid: 'u2' }] } }),
    apply('a', {}),
  ],
  [
    'patches of three kinds',
    create('c', { data: { x: '1', y: '2' } }),
    json('j', [
      { op: 'replace', path: '/data/x', value: '9' },
      { op: 'remove', path: '/data/y' },
    ]),
    merge('m', { data: { z: '3' } }),
    strategic('s', { data: { x: null }, metadata: { labels: { q: '1' } } }),
  ],
  [
    'patches that change nothing',
    create('c', { data: { x: '1' } }),
    merge('m', { data: { x: '1' } }),
    json('j', [{ op: 'test', path: '/data/x', value: '1' }]),
    strategic('s', null),
  ],
  [
    'a patch of finalizers',
    create('c', { metadata: { finalizers: ['x.io/a', 'x.io/b'] } }),
    strategic('s', { metadata: { finalizers: ['x.io/c'] } }),
    strategic('s', { metadata: { '$deleteFromPrimitiveList/finalizers': ['x.io/a'] } }),
    strategic('s', { metadata: { '$setElementOrder/finalizers': ['x.io/c', 'x.io/b'] } }),
  ],
  [
    'reset by an empty list',
    create('c', { data: { x: '1' } }),
    update('u', withMetadata({ managedFields: [] })),
    merge('m', { data: { y: '1' } }),
    apply('a', { data: { x: '1', z: '1' } }),
    apply('a', { data: { x: '2', z: '1' } }),
  ],
  [
    'reset by an empty entry',
    create('c', { data: { x: '1' } }),
    update('u', withMetadata({ managedFields: [{}] })),
    apply('a', { data: { x: '2' } }),
  ],
  ['managedFields left out of an update', create('c', { data: { x: '1' } }), update('u', { data: { x: '1', y: '1' } })],
  [
    'managedFields written by hand',
    create('c', { data: { x: '1' } }),
    update(
      'u',
      withMetadata({
        managedFields: [
          {
            manager: 'hand',
            operation: 'Apply',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            time: '2020-01-01T00:00:00Z',
            fieldsV1: { 'f:data': { 'f:x': {}, '.': {} } },
          },
        ],
      }),
    ),
    apply('hand', { data: {} }),
  ],
  [
    'managedFields that cannot be read',
    create('c', { data: { x: '1' } }),
    update(
      'u',
      withMetadata({
        managedFields: [{ manager: 'hand', operation: 'Foo', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
      }),
    ),
  ],
  [
    'an entry of a version that is not served',
    create('c', { data: { x: '1' } }),
    update(
      'u',
      withMetadata({
        managedFields: [
          {
            manager: 'old',
            operation: 'Update',
            apiVersion: 'v7',
            fieldsType: 'FieldsV1',
            time: '2020-01-01T00:00:00Z',
            fieldsV1: { 'f:data': { 'f:x': {} } },
          },
        ],
      }),
    ),
    merge('m', { data: { z: '1' } }),
  ],
  [
    'more than ten updaters',
    create('c', { data: {} }),
    ...Array.from({ length: 13 }, (_, i) => merge(`u${i + 10}`, { data: { [`k${i}`]: '1' } })),
  ],
  [
    'managedFields in an applied object',
    create('c', {}),
    apply('a', { metadata: { managedFields: [] } }),
    apply('a', { metadata: { managedFields: null } }),
  ],
  ['an unknown field', create('c', {}), apply('a', { foo: 1 })],
  [
    'values of the wrong type',
    create('c', {}),
    apply('a', { data: { x: 1 } }),
    apply('a', { data: [1] }),
    apply('a', { immutable: 'x' }),
    apply('a', { metadata: { finalizers: [1.5] } }),
  ],
  [
    'duplicates',
    create('c', {}),
    apply('a', { metadata: { finalizers: ['x.io/a', 'x.io/a'] } }),
    apply('a', { metadata: { ownerReferences: [{ uid: 'a' }, { uid: 'a' }] } }),
  ],
  [
    'elements that no key fits',
    create('c', {}),
    apply('a', { metadata: { finalizers: [null] } }),
    apply('a', { metadata: { finalizers: [{}] } }),
    apply('a', { metadata: { ownerReferences: ['x'] } }),
    apply('a', { metadata: { ownerReferences: [null] } }),
  ],
  ['another kind', create('c', {}), apply('a', { kind: 'Secret' }), apply('a', { apiVersion: 'apps/v1' })],
  [
    'kubectl takes over from the client side',
    create('kubectl-client-side-apply', {
      metadata: { annotations: lastApplied({ x: '1', y: '1' }, 'c') },
      data: { x: '1', y: '1' },
    }),
    apply('kubectl', { metadata: { annotations: lastApplied({ x: '1', y: '1' }, 'c') }, data: { x: '2', y: '1' } }),
    apply('kubectl', { data: { x: '3', z: '<&>' } }),
  ],
  [
    'kubectl does not take over what changed since',
    create('kubectl-client-side-apply', {
      metadata: { annotations: lastApplied({ x: '1', y: '1' }, 'c') },
      data: { x: '1', y: '1' },
    }),
    merge('m', { data: { y: '5' } }),
    apply('kubectl', { data: { x: '2', y: '6' } }),
  ],
  [
    'keys with every kind of character',
    apply('a', {
      data: { 'a.b': '1', a_b: '2', 'A-b': '3', __proto__x: '4' },
      metadata: { annotations: { 'x.io/a-b': 'ü', 'x.io/b': '"' } },
    }),
    apply('b', { metadata: { annotations: { 'x.io/b': 'q' } } }),
  ],
  [
    'binary data',
    create('c', { binaryData: { x: 'AAAA' } }),
    apply('a', { binaryData: { x: 'AAAB' } }),
    apply('a', { binaryData: { x: 'AAAB' } }, force),
  ],
];

const deployments: readonly [string, ...Step[]][] = [
  [
    'created by apply',
    apply('a', pod([{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }])),
    apply('a', pod([{ name: 'c', image: 'j' }])),
  ],
  [
    'replicas handed over',
    apply('a', { spec: { ...pod([{ name: 'c', image: 'i' }]).spec, replicas: 1 } }),
    merge('hpa', { spec: { replicas: 3 } }),
    apply('a', { spec: { ...pod([{ name: 'c', image: 'i' }]).spec, replicas: 1 } }),
    apply('a', pod([{ name: 'c', image: 'i' }])),
  ],
  [
    'created, then applied',
    create('c', pod([{ name: 'c', image: 'i', env: [{ name: 'E', value: '1' }] }])),
    apply(
      'a',
      pod([
        { name: 'c', image: 'i', env: [{ name: 'F', value: '2' }] },
        { name: 'side', image: 's' },
      ]),
    ),
    apply('a', pod([{ name: 'c', image: 'i' }])),
  ],
  [
    'a container removed and one kept by another',
    apply(
      'a',
      pod([
        { name: 'c', image: 'i' },
        { name: 'd', image: 'i' },
      ]),
    ),
    apply('b', pod([{ name: 'd', image: 'i', command: ['x'] }])),
    apply('a', pod([{ name: 'c', image: 'i' }])),
  ],
  [
    'updated whole',
    create('c', pod([{ name: 'c', image: 'i' }])),
    update('u', withSpec({ replicas: 4, minReadySeconds: 5 })),
    update('u', withSpec({ replicas: 4 })),
    apply('a', { spec: { ...pod([{ name: 'c', image: 'i' }]).spec, replicas: 2 } }),
  ],
  [
    'strategic patches of containers',
    create(
      'c',
      pod([
        { name: 'c', image: 'i' },
        { name: 'd', image: 'k' },
      ]),
    ),
    strategic('s', { spec: { template: { spec: { containers: [{ name: 'd', image: 'l' }] } } } }),
    strategic('s', { spec: { template: { spec: { containers: [{ name: 'c', $patch: 'delete' }] } } } }),
    strategic('s', { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
  ],
  [
    'order of containers',
    create(
      'c',
      pod([
        { name: 'c', image: 'i' },
        { name: 'd', image: 'k' },
        { name: 'e', image: 'k' },
      ]),
    ),
    strategic('s', {
      spec: {
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'e' }, { name: 'c' }],
            containers: [{ name: 'e', image: 'q' }],
          },
        },
      },
    }),
    apply(
      'a',
      pod([
        { name: 'f', image: 'i' },
        { name: 'd', image: 'k' },
        { name: 'c', image: 'i' },
      ]),
    ),
  ],
  [
    'an update of the status',
    create('c', pod([{ name: 'c', image: 'i' }])),
    merge('ctl', { status: { replicas: 1, conditions: [{ type: 'Available', status: 'True' }] } }, status),
    merge('u', { spec: { replicas: 2 } }),
  ],
  [
    'an apply of the status',
    create('c', pod([{ name: 'c', image: 'i' }])),
    apply('ctl', { status: { replicas: 1 } }, status),
    apply('ctl2', { status: { replicas: 2 } }, status),
    apply('ctl2', { status: { replicas: 2 } }, { ...status, force: true }),
  ],
  [
    'an unknown field deep down',
    create('c', pod([{ name: 'c', image: 'i' }])),
    apply('a', pod([{ name: 'c', portz: [] }])),
    apply('a', pod([{ name: 'c', ports: [{ containerPort: 'x' }] }])),
    apply('a', pod([{ name: 'c', ports: [{ containerPort: 1 }, { containerPort: 1 }] }])),
  ],
  [
    'resources and quantities',
    apply('a', pod([{ name: 'c', image: 'i', resources: { limits: { cpu: '1', memory: '1Gi' } } }])),
    apply('b', pod([{ name: 'c', resources: { limits: { cpu: '2' } } }])),
    apply('a', pod([{ name: 'c', image: 'i', resources: { limits: { memory: '1Gi' } } }])),
  ],
  [
    'labels of the template against an atomic selector',
    apply('a', pod([{ name: 'c', image: 'i' }], { app: 'a', x: '1' })),
    apply('b', pod([{ name: 'c', image: 'i' }], { app: 'a', y: '1' })),
    apply('a', pod([{ name: 'c', image: 'i' }], { app: 'a' })),
  ],
  [
    'volumes and mounts',
    apply('a', {
      spec: {
        ...pod([{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }]).spec,
        template: {
          metadata: { labels: { app: 'a' } },
          spec: {
            containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
            volumes: [{ name: 'v', emptyDir: {} }],
          },
        },
      },
    }),
    apply('a', pod([{ name: 'c', image: 'i' }])),
  ],
];

const duplicates = [
  { name: 'E', value: '1' },
  { name: 'E', value: '2' },
];
const withEnv = (env: unknown[]) => ({ spec: { template: { spec: { containers: [{ name: 'c', env }] } } } });
const duplicated: readonly [string, ...Step[]][] = [
  [
    'duplicates that an update let in',
    create('c', pod([{ name: 'c', image: 'i', env: [...duplicates, { name: 'F', value: '1' }] }])),
    apply('a', pod([{ name: 'c', image: 'i', env: [{ name: 'F', value: '1' }] }])),
    apply('a', pod([{ name: 'c', image: 'i', env: [{ name: 'E', value: '3' }] }])),
    apply('a', pod([{ name: 'c', image: 'i', env: [{ name: 'E', value: '3' }] }]), force),
    apply('a', pod([{ name: 'c', image: 'i' }])),
  ],
  [
    'duplicates that come and go',
    create('c', pod([{ name: 'c', image: 'i', env: [{ name: 'E', value: '1' }] }])),
    merge('m', { spec: { template: { spec: { containers: [{ name: 'c', image: 'i', env: duplicates }] } } } }),
    merge('n', {
      spec: {
        template: {
          spec: { containers: [{ name: 'c', image: 'i', env: [...duplicates, { name: 'E', value: '9' }] }] },
        },
      },
    }),
    strategic('s', withEnv([{ name: 'E', $patch: 'delete' }])),
    strategic('s', withEnv([{ name: 'E', value: '5' }])),
  ],
];

const services: readonly [string, ...Step[]][] = [
  [
    'ports by number and protocol',
    apply('a', {
      spec: {
        ports: [
          { port: 80, name: 'h' },
          { port: 53, protocol: 'UDP', name: 'd' },
        ],
      },
    }),
    apply('b', { spec: { ports: [{ port: 53, protocol: 'TCP', name: 't' }] } }),
    apply('a', { spec: { ports: [{ port: 80, name: 'h' }] } }),
  ],
  [
    'created, then applied',
    create('c', { spec: { selector: { a: 'b' }, ports: [{ port: 80 }] } }),
    apply('a', { spec: { selector: { a: 'c' } } }),
    apply('a', { spec: { selector: { a: 'c' }, ports: [{ port: 80, targetPort: 'x' }] } }, force),
  ],
  [
    'a patch of ports',
    create('c', { spec: { ports: [{ port: 80, name: 'a' }] } }),
    strategic('s', { spec: { ports: [{ port: 81, name: 'b' }] } }),
    strategic('s', { spec: { ports: [{ port: 80, $patch: 'delete' }] } }),
    json('j', [{ op: 'replace', path: '/spec/ports/0/targetPort', value: 'http' }]),
  ],
];

const widgets: readonly [string, ...Step[]][] = [
  [
    'created',
    create('c', {
      spec: {
        count: 1,
        nested: { a: '1', deep: { c: '1' } },
        parts: [{ name: 'x', ports: [{ port: 1 }] }],
        tags: ['a', 'b'],
        list: ['l'],
        labels: { k: 'v' },
      },
    }),
    update('u', withSpec({ count: 2, tags: ['b', 'c'] })),
    update('u', withSpec({ nested: {}, parts: [] })),
  ],
  [
    'sets',
    apply('a', { spec: { tags: ['a', 'b'], numbers: [1, 2, 10] } }),
    apply('b', { spec: { tags: ['c', 'a'], numbers: [2] } }),
    apply('a', { spec: { tags: ['b'] } }),
  ],
  [
    'atomic lists and maps',
    apply('a', { spec: { list: ['a', 'b'], atomic: { a: '1' } } }),
    apply('b', { spec: { list: ['a', 'c'] } }),
    apply('b', { spec: { atomic: { a: '1' } } }),
    apply('b', { spec: { atomic: { b: '1' } } }, force),
    apply('a', { spec: { list: [] } }),
  ],
  [
    'a granular map',
    apply('a', { spec: { labels: { x: '1' } } }),
    apply('b', { spec: { labels: { y: '1' } } }),
    apply('a', { spec: { labels: {} } }),
    apply('b', { spec: {} }, mayBeInvalid),
    apply('a', {}),
  ],
  [
    'nested objects',
    apply('a', { spec: { nested: { a: '1', deep: { c: '1' } } } }),
    apply('b', { spec: { nested: { b: '1', deep: { d: '1' } } } }),
    apply('a', { spec: { nested: { a: '1' } } }),
    apply('b', { spec: {} }),
  ],
  [
    'free-form fields',
    apply('a', { spec: { free: { x: { y: [1, { z: 2 }] }, n: null } } }),
    apply('b', { spec: { free: { x: { q: true } } } }),
    apply('b', { spec: { free: { x: { y: [2] } } } }),
    apply('a', { spec: { free: { x: 'now text' } } }, force),
    merge('m', { spec: { free: { x: { back: 1 } } } }),
  ],
  [
    'partly free-form fields',
    apply('a', { spec: { partly: { known: 'k', other: { a: 1 } } } }),
    apply('b', { spec: { partly: { other: { a: 2, b: 1 } } } }),
    apply('a', { spec: { partly: { known: 'k' } } }),
  ],
  [
    'an embedded resource',
    apply('a', {
      spec: {
        embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { a: '1' } }, spec: { x: [1] } },
      },
    }),
    apply('b', { spec: { embedded: { metadata: { labels: { b: '1' } } } } }),
    merge('m', { spec: { embedded: { metadata: { labels: { a: null } } } } }),
  ],
  [
    'an int or a string',
    apply('a', { spec: { target: 80 } }),
    apply('b', { spec: { target: 'http' } }),
    merge('m', { spec: { target: 'http' } }),
    apply('a', { spec: { target: { x: 1 } } }),
  ],
  [
    'elements of list maps',
    apply('a', {
      spec: {
        parts: [
          { name: 'x', image: '1' },
          { name: 'y', image: '1' },
        ],
      },
    }),
    apply('b', { spec: { parts: [{ name: 'z' }, { name: 'x', args: ['q'] }] } }),
    apply('a', { spec: { parts: [{ name: 'y', image: '1' }] } }),
    apply('b', { spec: { parts: [] } }),
  ],
  [
    'a dangling element',
    apply('a', { spec: { parts: [{ name: 'x', image: '1' }] } }),
    merge('m', { spec: { parts: [{ name: 'x', image: '1', args: ['added'] }] } }),
    apply('a', { spec: {} }, mayBeInvalid),
  ],
  [
    'a dangling element in an element',
    apply('a', { spec: { parts: [{ name: 'x', ports: [{ port: 1, alias: 'a' }, { port: 2 }] }] } }),
    merge('m', {
      spec: {
        parts: [
          {
            name: 'x',
            ports: [
              { port: 1, alias: 'b', protocol: 'TCP' },
              { port: 2, protocol: 'TCP' },
            ],
          },
        ],
      },
    }),
    apply('a', { spec: { parts: [{ name: 'x' }] } }, mayBeInvalid),
  ],
  [
    'the order of a list map',
    create('c', { spec: { parts: ['a', 'b', 'c', 'd'].map((name) => ({ name })) } }),
    apply('a', { spec: { parts: ['d', 'e', 'b'].map((name) => ({ name })) } }),
    apply('a', { spec: { parts: ['f', 'a', 'b', 'g'].map((name) => ({ name })) } }),
    apply('a', { spec: { parts: ['c', 'a'].map((name) => ({ name })) } }),
  ],
  [
    'nulls',
    create('c', { spec: { maybe: null, count: 1 } }),
    apply('a', { spec: { maybe: null } }),
    apply('a', { spec: { maybe: 'x' } }),
    apply('a', { spec: {} }),
  ],
  [
    'status beside spec',
    create('c', { spec: { count: 1 }, status: { ready: 1 } }),
    merge('ctl', { status: { ready: 2, conditions: [{ type: 'A', status: 'x' }] } }, status),
    apply('ctl2', { status: { conditions: [{ type: 'B', status: 'y' }] } }, status),
    apply('ctl2', { spec: { count: 9 }, status: { conditions: [{ type: 'B' }] } }, status),
    apply('a', { spec: { count: 1 }, status: { ready: 9 } }),
  ],
  [
    'an apply over status only',
    apply('a', { spec: { count: 1 } }),
    apply('a', { status: { ready: 1 } }, status),
    apply('a', { status: {} }, { ...status, ...mayBeInvalid }),
    apply('a', { spec: {} }, mayBeInvalid),
  ],
  [
    'undeclared fields',
    create('c', { spec: {} }),
    apply('a', { spec: { foo: 1 } }),
    apply('a', { spec: { nested: { deep: { e: 1 } } } }),
    apply('a', { spec: { parts: [{ name: 'x', foo: 1 }] } }),
    apply('a', { spec: { parts: [{ image: 'x' }] } }),
  ],
  [
    'wrong types',
    create('c', { spec: {} }),
    apply('a', { spec: { count: 'x', on: 'y' } }),
    apply('a', { spec: { parts: {} } }),
    apply('a', { spec: { nested: [1] } }),
    apply('a', { spec: [] }),
    apply('a', { spec: { tags: [['x']] } }),
  ],
  [
    'before the first apply',
    create('c', { spec: { count: 1, tags: ['a'], parts: [{ name: 'x' }] } }),
    update('u', withMetadata({ managedFields: [] })),
    apply('a', { spec: { count: 1, tags: ['b'] } }),
    apply('a', { spec: { count: 2 } }),
  ],
  [
    'empty containers in an applied object',
    apply('a', { spec: { nested: {}, parts: [], tags: [], list: [], labels: {}, free: {} } }),
    apply('b', { spec: { nested: { a: '1' }, tags: ['x'] } }),
    apply('a', { spec: {} }),
  ],
];

const v2 = { version: 1 };
const versions: readonly [string, ...Step[]][] = [
  [
    'conflicts across versions',
    apply('a', { spec: { count: 1, tags: ['x'] } }),
    apply('b', { spec: { count: 2, tags: ['y'] } }, v2),
    merge('u', { spec: { title: 't' } }, v2),
    merge('u', { spec: { title: 'u', ratio: 1 } }),
    apply('b', { spec: { title: 'v' } }, v2),
  ],
  [
    'an applier that changes its version',
    apply('a', { spec: { count: 1, labels: { x: '1' }, parts: [{ name: 'p', image: 'i' }] } }),
    apply('a', { spec: { count: 1, parts: [{ name: 'p' }] } }, v2),
    apply('b', { spec: { count: 1, on: true } }),
    apply('a', { spec: { on: true } }),
  ],
  [
    'a part that is atomic in one version',
    apply('a', { spec: { nested: { a: '1', deep: { c: '1' } } } }),
    apply('b', { spec: { nested: { b: '1' } } }, v2),
    apply('b', { spec: { nested: { b: '1' } } }, { ...v2, ...force }),
    apply('a', { spec: { nested: { a: '2' } } }),
  ],
];

export const sequences: readonly Sequence[] = [
  ...configMaps.map(([title, ...steps]): Sequence => ({ title: `ConfigMap: ${title}`, kind: 'ConfigMap', steps })),
  ...[...deployments, ...duplicated].map(
    ([title, ...steps]): Sequence => ({ title: `Deployment: ${title}`, kind: 'Deployment', steps }),
  ),
  ...services.map(([title, ...steps]): Sequence => ({ title: `Service: ${title}`, kind: 'Service', steps })),
  ...[...widgets, ...versions].map(
    ([title, ...steps]): Sequence => ({ title: `custom resource: ${title}`, kind: 'Widget', steps }),
  ),
];
