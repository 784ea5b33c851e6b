import type { NamespaceCase, NamespaceRequest } from './namespace-cases.fixture.ts';

type Lists = { readonly requests?: object; readonly limits?: object };

const limits = (...items: readonly object[]): NamespaceRequest => [
  'POST',
  'limitranges',
  { metadata: { name: 'limits' }, spec: { limits: items } },
];

const container = (name: string, resources?: Lists, more: object = {}): object => ({
  name,
  image: 'a',
  ...(resources !== undefined && { resources }),
  ...more,
});

const pod = (spec: object, name = 'web'): NamespaceRequest => ['POST', 'pods', { metadata: { name }, spec }];
const plain = (resources?: Lists): NamespaceRequest => pod({ containers: [container('main', resources)] });

const claim = (resources: Lists, name = 'data'): NamespaceRequest => [
  'POST',
  'persistentvolumeclaims',
  { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources } },
];

const rejected = (title: string, item: object, ...requests: readonly NamespaceRequest[]): NamespaceCase => ({
  title,
  before: [limits(item)],
  requests,
});

const cpu = (amount: string): object => ({ cpu: amount });

export const limitRangeCases: readonly NamespaceCase[] = [
  {
    title: 'defaults of containers and init containers',
    before: [
      limits({
        type: 'Container',
        default: { cpu: '0.5', memory: '256Mi', 'example.com/gpu': '1' },
        defaultRequest: { cpu: '100m', 'ephemeral-storage': '1Gi', 'example.com/gpu': '1' },
      }),
    ],
    requests: [
      pod({
        containers: [
          container('bare'),
          container('half', { requests: { cpu: '10m' } }),
          container('limited', { limits: { cpu: '2', memory: '1Gi' } }),
          container('full', {
            requests: { cpu: '1', memory: '1', 'ephemeral-storage': '1', 'example.com/gpu': '1' },
            limits: { cpu: '1', memory: '1', 'ephemeral-storage': '1', 'example.com/gpu': '1' },
          }),
        ],
        initContainers: [container('first'), container('sidecar', undefined, { restartPolicy: 'Always' })],
      }),
      ['PUT', 'pods/web', { metadata: { name: 'web', labels: { a: 'b' } }, spec: { containers: [container('bare')] } }],
      ['PATCH', 'pods/web', { metadata: { labels: { a: 'b' } } }, { contentType: 'application/merge-patch+json' }],
      ['GET', 'pods/web'],
    ],
  },
  {
    title: 'defaults that follow from max and min',
    before: [limits({ type: 'Container', max: { cpu: '2' }, min: { memory: '16Mi' } })],
    requests: [plain(), plain({ limits: { memory: '32Mi' } }), ['GET', 'limitranges/limits']],
  },
  {
    title: 'defaults together with an annotation of the user',
    before: [limits({ type: 'Container', default: cpu('1') })],
    requests: [
      [
        'POST',
        'pods',
        {
          metadata: { generateName: 'generated-', annotations: { a: 'b', 'kubernetes.io/limit-ranger': 'mine' } },
          spec: { containers: [container('main')] },
        },
      ],
      [
        'PATCH',
        'pods/applied?fieldManager=me',
        { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'applied' }, spec: { containers: [container('main')] } },
        { contentType: 'application/apply-patch+yaml' },
      ],
    ],
  },
  rejected(
    'min of containers',
    { type: 'Container', min: { cpu: '100m' } },
    plain(),
    plain({ requests: cpu('50m') }),
    plain({ requests: cpu('0.1'), limits: cpu('0.1') }),
  ),
  rejected(
    'min of containers in the limit only',
    { type: 'Container', min: { memory: '1Mi' }, defaultRequest: { memory: '1Mi' } },
    pod({ containers: [container('a', { limits: { memory: '1Ki' }, requests: { memory: '1Ki' } })] }),
    pod({ initContainers: [container('b', { limits: { memory: '1Ki' } })], containers: [container('a')] }),
  ),
  rejected(
    'max of containers',
    { type: 'Container', max: { cpu: '1', memory: '1Gi' }, default: { cpu: '1' } },
    plain(),
    plain({ limits: cpu('1001m') }),
    plain({ limits: { cpu: '2', memory: '2Gi' }, requests: { cpu: '1.5' } }),
    pod({ containers: [container('a', { limits: cpu('2') }), container('b', { limits: cpu('3') })] }),
  ),
  rejected(
    'a ratio of containers',
    { type: 'Container', maxLimitRequestRatio: { cpu: '2.5' } },
    plain(),
    plain({ requests: cpu('1') }),
    plain({ requests: cpu('0'), limits: cpu('1') }),
    plain({ requests: cpu('300m'), limits: cpu('1') }),
    plain({ requests: cpu('400m'), limits: cpu('1') }),
  ),
  rejected(
    'max and min of pods',
    { type: 'Pod', max: { cpu: '2', memory: '1Gi' }, min: { cpu: '200m' } },
    plain(),
    plain({ requests: cpu('100m'), limits: { cpu: '100m', memory: '1' } }),
    pod({
      containers: [
        container('a', { requests: cpu('1'), limits: { cpu: '1500m', memory: '512Mi' } }),
        container('b', { requests: cpu('1'), limits: { cpu: '1', memory: '513Mi' } }),
      ],
    }),
    pod({
      initContainers: [
        container('sidecar', { requests: cpu('1'), limits: { cpu: '1', memory: '1' } }, { restartPolicy: 'Always' }),
        container('i', { requests: cpu('1'), limits: { cpu: '1.5', memory: '1' } }),
      ],
      containers: [container('a', { requests: cpu('1'), limits: { cpu: '0.5', memory: '1' } })],
    }),
    pod({
      initContainers: [container('i', { requests: cpu('1'), limits: { cpu: '2', memory: '1' } })],
      containers: [container('a', { requests: cpu('1'), limits: { cpu: '2', memory: '1' } })],
    }),
  ),
  rejected(
    'a ratio of pods',
    { type: 'Pod', maxLimitRequestRatio: { memory: '2' } },
    plain(),
    plain({ requests: { memory: '3Ki' }, limits: { memory: '7Ki' } }),
    plain({ requests: { memory: '3Pi' }, limits: { memory: '7Pi' } }),
    plain({ requests: { memory: '1Ki' }, limits: { memory: '2Ki' } }),
  ),
  rejected(
    'limits of pods with resources of the whole pod',
    { type: 'Pod', max: { cpu: '2', 'hugepages-2Mi': '4Mi' } },
    pod({ resources: { limits: cpu('3'), requests: cpu('1') }, containers: [container('a')] }),
    pod({ resources: { limits: { cpu: '1', 'hugepages-2Mi': '2Mi' } }, containers: [container('a')] }),
    pod({
      resources: { limits: { cpu: '2' }, requests: cpu('1') },
      containers: [container('a', { limits: { cpu: '1', 'hugepages-2Mi': '2Mi' }, requests: cpu('1') })],
    }),
  ),
  rejected(
    'defaults of containers in a pod with resources',
    { type: 'Container', default: cpu('500m'), max: { memory: '1Gi' } },
    pod({ resources: { limits: cpu('3'), requests: cpu('1') }, containers: [container('a')] }),
  ),
  rejected(
    'claims',
    { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } },
    claim({ requests: { storage: '1Mi' } }),
    claim({ requests: { storage: '11Gi' }, limits: { storage: '12Gi' } }),
    claim({ requests: { storage: '10Gi' } }),
    [
      'PATCH',
      'persistentvolumeclaims/data',
      { metadata: { labels: { a: 'b' } } },
      { contentType: 'application/merge-patch+json' },
    ],
  ),
  rejected(
    'claims by another resource',
    { type: 'PersistentVolumeClaim', max: { storage: '10Gi', cpu: '1' }, min: { memory: '1' } },
    claim({ requests: { storage: '1Gi' } }),
  ),
  rejected(
    'a dry run, a generated name, a template and an invalid pod',
    { type: 'Container', max: cpu('1') },
    [
      'POST',
      'pods?dryRun=All',
      { metadata: { generateName: 'generated-' }, spec: { containers: [container('a', { limits: cpu('2') })] } },
    ],
    [
      'POST',
      'pods',
      { metadata: { generateName: 'generated-' }, spec: { containers: [container('a', { limits: cpu('2') })] } },
    ],
    pod({ containers: [container('A', { limits: cpu('2') })] }),
    [
      'POST',
      '@apps/v1 replicasets',
      {
        metadata: { name: 'set' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [container('a', { limits: cpu('2') })] },
          },
        },
      },
    ],
  ),
  rejected('a type of the user', { type: 'example.com/Own', max: cpu('1') }, plain({ limits: cpu('2') })),
  {
    title: 'a resize',
    before: [limits({ type: 'Container', max: cpu('2') }), plain({ requests: cpu('1'), limits: cpu('1') })],
    requests: [
      [
        'PATCH',
        'pods/web/resize',
        { spec: { containers: [{ name: 'main', resources: { requests: cpu('3'), limits: cpu('3') } }] } },
        { contentType: 'application/strategic-merge-patch+json' },
      ],
      [
        'PATCH',
        'pods/web/resize',
        { spec: { containers: [{ name: 'main', resources: { requests: cpu('1'), limits: cpu('2') } }] } },
        { contentType: 'application/strategic-merge-patch+json' },
      ],
      ['PATCH', 'pods/web/status', { status: { message: 'x' } }, { contentType: 'application/merge-patch+json' }],
    ],
  },
];
