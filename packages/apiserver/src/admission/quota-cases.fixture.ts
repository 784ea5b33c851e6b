import type { NamespaceCase, NamespaceRequest } from './namespace-cases.fixture.ts';

type Amounts = Readonly<Record<string, string>>;

/** A quota whose status is written as its controller would, because the compared servers have none. */
function quota(name: string, hard: Amounts, used: Amounts = {}, spec: object = {}): NamespaceRequest[] {
  const none = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
  return [
    ['POST', 'resourcequotas', { metadata: { name }, spec: { hard, ...spec } }],
    ['PUT', `resourcequotas/${name}/status`, { metadata: { name }, status: { hard, used: { ...none, ...used } } }],
  ];
}

const probed = { 'count/leases.coordination.k8s.io': '0' };
const probe: NamespaceRequest = ['POST', '@coordination.k8s.io/v1 leases?dryRun=All', { metadata: { name: 'probe' } }];

/** A case with one quota and without scopes. */
const limited = (
  title: string,
  hard: Amounts,
  used: Amounts,
  ...requests: readonly NamespaceRequest[]
): NamespaceCase => ({
  title,
  before: quota('limited', { ...hard, ...probed }, used),
  probes: [probe],
  requests: [...requests, ['GET', 'resourcequotas/limited']],
});

const merge = { contentType: 'application/merge-patch+json' };
const container = (name: string, resources: object = {}, more: object = {}): object => ({
  name,
  image: 'a',
  resources,
  ...more,
});
const podOf = (name: string, spec: object, query = ''): NamespaceRequest => [
  'POST',
  `pods${query}`,
  { metadata: { name }, spec: { containers: [container('main')], ...spec } },
];
const requesting = (name: string, requests: object, limits?: object): NamespaceRequest =>
  podOf(name, { containers: [container('main', { requests, ...(limits !== undefined && { limits }) })] });
const service = (name: string, spec: object): NamespaceRequest => [
  'POST',
  'services',
  { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } },
];
const claim = (name: string, storage: string, more: object = {}, annotations: object = {}): NamespaceRequest => [
  'POST',
  'persistentvolumeclaims',
  {
    metadata: { name, annotations },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...more },
  },
];
const configMap = (name: string, query = ''): NamespaceRequest => [
  'POST',
  `configmaps${query}`,
  { metadata: { name } },
];

/** A case with a quota for pods of some scopes. Pods with 100 CPUs probe it. */
const scoped = (
  title: string,
  spec: object,
  matching: object,
  ...requests: readonly NamespaceRequest[]
): NamespaceCase => ({
  title: `pods in scope: ${title}`,
  before: quota('scoped', { pods: '1' }, { pods: '1' }, spec),
  probes: [podOf('probe', matching, '?dryRun=All')],
  requests: [...requests, ['GET', 'resourcequotas/scoped']],
});

const highPriority: NamespaceRequest = [
  'POST',
  '/apis/scheduling.k8s.io/v1/priorityclasses',
  { metadata: { name: 'high' }, value: 1000 },
];
const selector = (scopeName: string, operator: string, values?: readonly string[]): object => ({
  scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values !== undefined && { values }) }] },
});
const affine = (term: object, kind = 'podAffinity'): object => ({
  affinity: {
    [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', ...term }] },
  },
});
const prefers = (term: object): object => ({
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: 'zone', ...term } },
      ],
    },
  },
});
const resize = (resources: object): NamespaceRequest => [
  'PATCH',
  'pods/web/resize',
  { spec: { containers: [{ name: 'main', resources }] } },
  { contentType: 'application/strategic-merge-patch+json' },
];

export const quotaCases: readonly NamespaceCase[] = [
  limited('pods', { pods: '2', 'count/pods': '3' }, {}, podOf('a', {}), podOf('b', {}), podOf('c', {}), podOf('a', {})),
  limited(
    'requests and limits of pods',
    { 'requests.cpu': '1', 'limits.memory': '1Gi' },
    { 'requests.cpu': '500m' },
    podOf('none', {}),
    requesting('half', { cpu: '100m' }),
    requesting('large', { cpu: '600m' }, { memory: '2Gi' }),
    requesting('fits', { cpu: '0.25' }, { memory: '512Mi' }),
    requesting('more', { cpu: '0.3' }, { memory: '256Mi' }),
    podOf('two', {
      containers: [container('b'), container('a', { requests: { cpu: '1m' } })],
      initContainers: [container('z')],
    }),
  ),
  limited(
    'CPU and memory by their old names',
    { cpu: '1', memory: '1Gi' },
    {},
    podOf('none', {}),
    requesting('fits', { cpu: '1', memory: '1G' }),
    requesting('more', { cpu: '1', memory: '1Gi' }),
  ),
  limited(
    'what init containers need',
    { 'requests.cpu': '2' },
    {},
    podOf('too-much', {
      initContainers: [container('i', { requests: { cpu: '2100m' } })],
      containers: [container('a', { requests: { cpu: '100m' } })],
    }),
    podOf('sidecar', {
      initContainers: [
        container('s', { requests: { cpu: '1' } }, { restartPolicy: 'Always' }),
        container('i', { requests: { cpu: '900m' } }),
      ],
      containers: [container('a', { requests: { cpu: '100m' } }), container('b', { requests: { cpu: '0' } })],
    }),
  ),
  limited(
    'resources of the whole pod',
    { 'requests.cpu': '2', 'limits.cpu': '3', 'requests.memory': '1Gi' },
    {},
    podOf('pod-level', { resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } }),
    podOf('again', { resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } }),
  ),
  limited(
    'other resources',
    {
      'requests.ephemeral-storage': '1Gi',
      'requests.example.com/gpu': '2',
      'hugepages-2Mi': '4Mi',
      'requests.hugepages-2Mi': '4Mi',
    },
    {},
    podOf('none', {}),
    requesting('gpu', { 'example.com/gpu': '1' }, { 'example.com/gpu': '1' }),
    requesting('gpus', { 'example.com/gpu': '2' }, { 'example.com/gpu': '2' }),
    requesting('pages', { cpu: '1', 'hugepages-2Mi': '6Mi' }, { 'hugepages-2Mi': '6Mi' }),
    requesting('disk', { 'ephemeral-storage': '2Gi' }),
  ),
  limited(
    'a dry run and a generated name',
    { configmaps: '1' },
    {},
    configMap('dry', '?dryRun=All'),
    ['POST', 'configmaps', { metadata: { generateName: 'generated-' } }],
    configMap('more', '?dryRun=All'),
    ['POST', 'configmaps', { metadata: { generateName: 'generated-' } }],
  ),
  limited(
    'an apply and an update that create',
    { configmaps: '1' },
    {},
    [
      'PATCH',
      'configmaps/applied?fieldManager=me',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' } },
      { contentType: 'application/apply-patch+yaml' },
    ],
    ['PATCH', 'configmaps/applied', { data: { a: 'b' } }, merge],
    [
      'PATCH',
      'configmaps/another?fieldManager=me',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'another' } },
      { contentType: 'application/apply-patch+yaml' },
    ],
    ['PUT', '@coordination.k8s.io/v1 leases/put', { metadata: { name: 'put' } }],
    configMap('applied'),
    configMap('Invalid_'),
  ),
  limited(
    'counts of other kinds',
    {
      secrets: '1',
      'count/secrets': '5',
      replicationcontrollers: '0',
      resourcequotas: '0',
      'count/deployments.apps': '0',
      'count/events': '0',
    },
    {},
    ['POST', 'secrets', { metadata: { name: 'a' } }],
    ['POST', 'secrets', { metadata: { name: 'b' } }],
    ['POST', 'resourcequotas', { metadata: { name: 'more' } }],
    [
      'POST',
      '@apps/v1 deployments',
      {
        metadata: { name: 'a' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container('a')] } },
        },
      },
    ],
  ),
  limited(
    'services',
    { services: '3', 'services.nodeports': '3', 'services.loadbalancers': '1' },
    {},
    service('plain', {}),
    service('ports', {
      type: 'NodePort',
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    }),
    service('many', {
      type: 'NodePort',
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    }),
    service('balanced', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }),
    ['PATCH', 'services/plain', { spec: { type: 'LoadBalancer' } }, merge],
    ['PATCH', 'services/plain', { spec: { type: 'NodePort' } }, merge],
    ['PATCH', 'services/ports', { spec: { type: 'ClusterIP' } }, merge],
    service('last', {}),
  ),
  limited(
    'claims',
    {
      persistentvolumeclaims: '4',
      'requests.storage': '10Gi',
      'gold.storageclass.storage.k8s.io/requests.storage': '5Gi',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '2',
    },
    {},
    claim('plain', '1Gi'),
    claim('large', '10Gi'),
    claim('gold', '5Gi', { storageClassName: 'gold' }),
    claim('more-gold', '1Gi', { storageClassName: 'gold' }),
    claim('old-gold', '1Gi', { storageClassName: 'silver' }, { 'volume.beta.kubernetes.io/storage-class': 'gold' }),
    claim('silver', '1500m', { storageClassName: 'silver' }),
    ['PATCH', 'persistentvolumeclaims/gold', { metadata: { labels: { a: 'b' } } }, merge],
    [
      'PATCH',
      'persistentvolumeclaims/plain/status',
      { status: { phase: 'Bound', allocatedResources: { storage: '20Gi' } } },
      merge,
    ],
  ),
  limited(
    'devices of claims',
    { 'count/resourceclaims.resource.k8s.io': '3', 'gpu.deviceclass.resource.k8s.io/devices': '4' },
    {},
    ...(
      [
        ['one', [{ name: 'a', exactly: { deviceClassName: 'gpu' } }]],
        ['all', [{ name: 'a', exactly: { deviceClassName: 'gpu', allocationMode: 'All' } }]],
        [
          'either',
          [
            {
              name: 'a',
              firstAvailable: [
                { name: 'x', deviceClassName: 'gpu', count: 2 },
                { name: 'y', deviceClassName: 'gpu', count: 3 },
                { name: 'z', deviceClassName: 'other' },
              ],
            },
          ],
        ],
        ['more', [{ name: 'a', exactly: { deviceClassName: 'gpu', count: 1 } }]],
      ] as const
    ).map(
      ([name, requests]): NamespaceRequest => [
        'POST',
        '@resource.k8s.io/v1 resourceclaims',
        { metadata: { name }, spec: { devices: { requests } } },
      ],
    ),
  ),
  {
    title: 'a quota whose usage is unknown',
    before: [
      ['POST', 'resourcequotas', { metadata: { name: 'unknown' }, spec: { hard: { pods: '1', secrets: '1' } } }],
      [
        'PUT',
        'resourcequotas/unknown/status',
        {
          metadata: { name: 'unknown' },
          status: { hard: { pods: '1', 'count/pods': '1', secrets: '1' }, used: { secrets: '0' } },
        },
      ],
    ],
    probes: [podOf('probe', {}, '?dryRun=All')],
    requests: [podOf('a', {}), ['POST', 'secrets', { metadata: { name: 'a' } }], ['GET', 'resourcequotas/unknown']],
  },
  {
    title: 'several quotas',
    before: [
      ...quota('first', { ...probed, pods: '5', 'requests.cpu': '2' }),
      ...quota('second', { 'count/podtemplates': '0', pods: '1', 'limits.cpu': '3' }),
    ],
    probes: [
      probe,
      [
        'POST',
        'podtemplates?dryRun=All',
        {
          metadata: { name: 'probe' },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container('a')] } },
        },
      ],
    ],
    requests: [
      requesting('a', { cpu: '1' }, { cpu: '3' }),
      requesting('b', { cpu: '1' }, { cpu: '0.5' }),
      requesting('c', { cpu: '500m' }, { cpu: '0.5' }),
      ['GET', 'resourcequotas/first'],
      ['GET', 'resourcequotas/second'],
    ],
  },
  scoped(
    'Terminating',
    { scopes: ['Terminating'] },
    { activeDeadlineSeconds: 10 },
    podOf('a', { activeDeadlineSeconds: 10 }),
    podOf('web', {}),
    ['PATCH', 'pods/web', { spec: { activeDeadlineSeconds: 5 } }, merge],
    ['PATCH', 'pods/web', { metadata: { labels: { a: 'b' } } }, merge],
  ),
  scoped(
    'NotTerminating',
    { scopes: ['NotTerminating'] },
    {},
    podOf('a', { activeDeadlineSeconds: 10 }),
    podOf('b', {}),
  ),
  scoped(
    'BestEffort',
    { scopes: ['BestEffort'] },
    {},
    podOf('a', {}),
    requesting('b', { cpu: '1' }),
    podOf('c', { resources: { requests: { cpu: '1' } } }),
  ),
  scoped(
    'NotBestEffort',
    { scopes: ['NotBestEffort'] },
    { containers: [container('a', { requests: { cpu: '1' } })] },
    podOf('a', {}),
    requesting('b', { cpu: '1' }),
  ),
  {
    ...scoped(
      'PriorityClass that exists',
      { scopes: ['PriorityClass'] },
      { priorityClassName: 'high' },
      podOf('a', {}),
      podOf('b', { priorityClassName: 'high' }),
      podOf('c', { priorityClassName: 'system-node-critical' }),
    ),
    before: [highPriority, ...quota('scoped', { pods: '1' }, { pods: '1' }, { scopes: ['PriorityClass'] })],
  },
  scoped(
    'PriorityClass in values',
    selector('PriorityClass', 'In', ['high', 'other']),
    { priorityClassName: 'high' },
    podOf('a', {}),
    podOf('b', { priorityClassName: 'high' }),
    podOf('c', { priorityClassName: 'system-cluster-critical' }),
  ),
  scoped(
    'PriorityClass not in values',
    selector('PriorityClass', 'NotIn', ['high']),
    {},
    podOf('a', {}),
    podOf('b', { priorityClassName: 'high' }),
  ),
  scoped(
    'PriorityClass that does not exist',
    selector('PriorityClass', 'DoesNotExist'),
    {},
    podOf('a', {}),
    podOf('b', { priorityClassName: 'high' }),
  ),
  scoped(
    'CrossNamespacePodAffinity',
    { scopes: ['CrossNamespacePodAffinity'] },
    affine({ namespaces: ['other'] }),
    podOf('a', affine({})),
    podOf('b', affine({ namespaces: ['other'] })),
    podOf('c', affine({ namespaceSelector: {} }, 'podAntiAffinity')),
    podOf('d', prefers({ namespaceSelector: {} })),
    podOf('e', prefers({})),
  ),
  {
    title: 'claims in scope: VolumeAttributesClass',
    before: quota('scoped', { persistentvolumeclaims: '0' }, {}, selector('VolumeAttributesClass', 'In', ['fast'])),
    probes: [
      [
        'POST',
        'persistentvolumeclaims?dryRun=All',
        claim('probe', '1Gi', { volumeAttributesClassName: 'fast' })[2] ?? {},
      ],
    ],
    requests: [
      claim('a', '1Gi', { volumeAttributesClassName: 'fast' }),
      claim('b', '1Gi', { volumeAttributesClassName: 'slow' }),
      claim('c', '1Gi'),
      ['GET', 'resourcequotas/scoped'],
    ],
  },
  {
    title: 'a resize',
    before: [
      requesting('web', { cpu: '1' }, { cpu: '1' }),
      ...quota(
        'limited',
        { ...probed, 'requests.cpu': '2', 'limits.cpu': '4' },
        { 'requests.cpu': '1', 'limits.cpu': '1' },
      ),
    ],
    probes: [probe],
    requests: [
      resize({ requests: { cpu: '3' }, limits: { cpu: '3' } }),
      resize({ requests: { cpu: '2' }, limits: { cpu: '2' } }),
      resize({ requests: { cpu: '1' }, limits: { cpu: '1' } }),
      ['PATCH', 'pods/web/status', { status: { phase: 'Running' } }, merge],
      ['GET', 'resourcequotas/limited'],
    ],
  },
  {
    title: 'custom objects',
    before: quota('limited', { ...probed, 'count/widgets.example.com': '1' }),
    probes: [probe],
    requests: [
      ['POST', '@example.com/v1 widgets', { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } }],
      ['POST', '@example.com/v1 widgets', { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'b' } }],
      [
        'PATCH',
        '@example.com/v1 widgets/c?fieldManager=me',
        { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'c' } },
        { contentType: 'application/apply-patch+yaml' },
      ],
      ['GET', 'resourcequotas/limited'],
    ],
  },
  {
    title: 'a quota and a LimitRange together',
    before: [
      [
        'POST',
        'limitranges',
        {
          metadata: { name: 'limits' },
          spec: { limits: [{ type: 'Container', default: { cpu: '1' }, max: { cpu: '2' } }] },
        },
      ],
      ...quota('limited', { ...probed, 'limits.cpu': '2' }),
    ],
    probes: [probe],
    requests: [podOf('a', {}), podOf('b', {}), podOf('c', {}), requesting('d', {}, { cpu: '3' })],
  },
];

/** The definition of the kind in the cases. */
export const widgetDefinition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
