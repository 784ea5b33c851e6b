/** An object to create, and its status, for the comparison of its row with the real server's. */
export interface PrintedObject {
  readonly title: string;
  readonly path: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const networking = '/apis/networking.k8s.io/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const storage = '/apis/storage.k8s.io/v1';

const containers = [
  { name: 'one', image: 'nginx:1.29' },
  { name: 'two', image: 'busybox' },
];
const selector = {
  matchLabels: { b: '1', a: '2' },
  matchExpressions: [
    { key: 'c', operator: 'In', values: ['y', 'x'] },
    { key: 'd', operator: 'NotIn', values: ['z'] },
    { key: 'e', operator: 'DoesNotExist' },
  ],
};
const template = { metadata: { labels: { a: '2', b: '1', c: 'x' } }, spec: { containers } };
const longAgo = '2020-01-01T00:00:00Z';

const pod = (
  title: string,
  status?: Record<string, unknown>,
  spec?: Record<string, unknown>,
  n = title,
): PrintedObject => ({
  title: `a pod ${title}`,
  path: `${core}/pods`,
  object: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p-${n.replaceAll(/[^a-z]+/g, '-')}` },
    spec: { containers, ...spec },
  },
  ...(status === undefined ? {} : { status }),
});
const running = (name: string, ready: boolean, more: Record<string, unknown> = {}) => ({
  name,
  image: 'x',
  imageID: '',
  ready,
  restartCount: 0,
  state: { running: { startedAt: longAgo } },
  ...more,
});
const ended = (exitCode: number, more: Record<string, unknown> = {}) => ({
  terminated: { exitCode, startedAt: longAgo, finishedAt: longAgo, ...more },
});

const pods: readonly PrintedObject[] = [
  pod('that is new'),
  pod('that runs', {
    phase: 'Running',
    podIP: '10.1.2.3',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [running('one', true), running('two', false)],
  }),
  pod('that was restarted', {
    phase: 'Running',
    containerStatuses: [
      running('one', true, { restartCount: 3, lastState: ended(1) }),
      running('two', true, { restartCount: 2 }),
    ],
  }),
  pod('that waits', {
    phase: 'Pending',
    containerStatuses: [
      { ...running('one', false), state: { waiting: { reason: 'ImagePullBackOff' } } },
      { ...running('two', false), state: { waiting: { reason: 'ContainerCreating' } } },
    ],
  }),
  pod('that has succeeded', {
    phase: 'Succeeded',
    containerStatuses: [
      { ...running('one', false), state: ended(0, { reason: 'Completed' }) },
      { ...running('two', false), state: ended(0, { reason: 'Completed' }) },
    ],
  }),
  pod('that has failed', {
    phase: 'Failed',
    containerStatuses: [{ ...running('one', false), state: ended(137, { signal: 9 }) }],
  }),
  pod('half completed', {
    phase: 'Running',
    containerStatuses: [{ ...running('one', false), state: ended(0, { reason: 'Completed' }) }, running('two', true)],
  }),
  pod('with an exit code', {
    phase: 'Running',
    containerStatuses: [{ ...running('one', false), state: ended(7) }, running('two', true)],
  }),
  pod(
    'that initializes',
    {
      phase: 'Pending',
      initContainerStatuses: [
        { ...running('first', false), state: ended(0), restartCount: 1 },
        { ...running('second', false), state: { waiting: { reason: 'PodInitializing' } } },
      ],
    },
    {
      initContainers: [
        { name: 'first', image: 'x' },
        { name: 'second', image: 'x' },
      ],
    },
  ),
  pod(
    'whose initialization crashes',
    { phase: 'Pending', initContainerStatuses: [{ ...running('first', false), state: ended(2, { reason: 'Error' }) }] },
    { initContainers: [{ name: 'first', image: 'x' }] },
  ),
  pod(
    'with a sidecar',
    {
      phase: 'Running',
      conditions: [{ type: 'Initialized', status: 'True' }],
      initContainerStatuses: [running('side', true, { started: true, restartCount: 4, lastState: ended(1) })],
      containerStatuses: [running('one', true), running('two', true)],
    },
    { initContainers: [{ name: 'side', image: 'x', restartPolicy: 'Always' }] },
  ),
  pod(
    'with gates',
    { phase: 'Running', conditions: [{ type: 'a.b/c', status: 'True' }] },
    {
      readinessGates: [{ conditionType: 'a.b/c' }, { conditionType: 'a.b/d' }],
      nodeName: 'somewhere',
    },
  ),
  pod('with a scheduling gate', undefined, { schedulingGates: [{ name: 'a.b/c' }] }),
  pod('with a reason', { phase: 'Failed', reason: 'Evicted' }),
];

const workload = (kind: string, plural: string, spec: object, status?: Record<string, unknown>): PrintedObject => ({
  title: `a ${kind}${status === undefined ? ' that is new' : ''}`,
  path: `${kind === 'Job' || kind === 'CronJob' ? batch : apps}/${plural}`,
  object: {
    apiVersion: kind === 'Job' || kind === 'CronJob' ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: { name: `w-${status === undefined ? 'new' : 'old'}` },
    spec,
  },
  ...(status === undefined ? {} : { status }),
});

const jobTemplate = { spec: { containers, restartPolicy: 'Never' } };
const workloads: readonly PrintedObject[] = [
  workload('Deployment', 'deployments', { selector, template, replicas: 3 }),
  workload(
    'Deployment',
    'deployments',
    { selector, template },
    { replicas: 3, readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
  ),
  workload('ReplicaSet', 'replicasets', { selector, template, replicas: 0 }, { replicas: 2, readyReplicas: 1 }),
  workload(
    'StatefulSet',
    'statefulsets',
    { selector, template, replicas: 2, serviceName: 'x' },
    { replicas: 2, readyReplicas: 1 },
  ),
  workload('DaemonSet', 'daemonsets', { selector, template }),
  workload(
    'DaemonSet',
    'daemonsets',
    { selector, template: { ...template, spec: { containers, nodeSelector: { disk: 'ssd', arch: 'arm' } } } },
    {
      desiredNumberScheduled: 5,
      currentNumberScheduled: 4,
      numberReady: 3,
      updatedNumberScheduled: 2,
      numberAvailable: 1,
      numberMisscheduled: 0,
    },
  ),
  workload('Job', 'jobs', { template: jobTemplate, parallelism: 3 }),
  workload('Job', 'jobs', { template: jobTemplate, completions: 2 }, { succeeded: 1, active: 1, startTime: longAgo }),
  workload('CronJob', 'cronjobs', { schedule: '*/5 * * * *', jobTemplate: { spec: { template: jobTemplate } } }),
  workload(
    'CronJob',
    'cronjobs',
    {
      schedule: '@daily',
      timeZone: 'Europe/Berlin',
      suspend: true,
      jobTemplate: { spec: { template: jobTemplate } },
    },
    { lastScheduleTime: longAgo },
  ),
  {
    title: 'a ReplicationController',
    path: `${core}/replicationcontrollers`,
    object: {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'rc' },
      spec: { replicas: 2, selector: { a: '2' }, template },
    },
  },
  {
    title: 'a PodTemplate',
    path: `${core}/podtemplates`,
    object: { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'pt' }, template },
  },
  {
    title: 'a ControllerRevision',
    path: `${apps}/controllerrevisions`,
    object: {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name: 'cr',
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'x', uid: 'u', controller: true }],
      },
      revision: 3,
      data: {},
    },
  },
  {
    title: 'a PodDisruptionBudget',
    path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    object: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'pdb' },
      spec: { minAvailable: '50%', selector },
    },
    status: { disruptionsAllowed: 2, currentHealthy: 3, desiredHealthy: 1, expectedPods: 3 },
  },
  {
    title: 'a HorizontalPodAutoscaler',
    path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    object: {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'hpa' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: 9,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
          {
            type: 'Pods',
            pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '5' } },
          },
          {
            type: 'External',
            external: { metric: { name: 'queue' }, target: { type: 'Value', value: '30' } },
          },
        ],
      },
    },
    status: {
      currentReplicas: 2,
      desiredReplicas: 2,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 12, averageValue: '1' } } },
      ],
    },
  },
];

const service = (name: string, spec: object, status?: Record<string, unknown>): PrintedObject => ({
  title: `a Service: ${name}`,
  path: `${core}/services`,
  object: { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec },
  ...(status === undefined ? {} : { status }),
});
const ports = [
  { name: 'http', port: 80 },
  { name: 'dns', port: 53, protocol: 'UDP' },
];

const network: readonly PrintedObject[] = [
  service('plain', { ports, selector: { b: '1', a: '2' } }),
  service('headless', { clusterIP: 'None' }),
  service('external-name', { type: 'ExternalName', externalName: 'example.com' }),
  service('external-ips', { ports, externalIPs: ['203.0.113.7', '203.0.113.8'] }),
  service('node-port', { type: 'NodePort', ports }),
  service('pending', { type: 'LoadBalancer', ports }),
  service(
    'balanced',
    { type: 'LoadBalancer', ports, externalIPs: ['203.0.113.9'] },
    { loadBalancer: { ingress: [{ hostname: 'z.example.com' }, { ip: '198.51.100.4' }] } },
  ),
  {
    title: 'Endpoints',
    path: `${core}/endpoints`,
    object: {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'ep' },
      subsets: [
        {
          addresses: [{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }],
          ports: [
            { port: 80, name: 'a' },
            { port: 81, name: 'b' },
          ],
        },
      ],
    },
  },
  {
    title: 'an EndpointSlice',
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    object: {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'es' },
      addressType: 'IPv4',
      ports: [{ port: 80 }, { name: 'dns', port: 53, protocol: 'UDP' }],
      endpoints: [{ addresses: ['10.1.0.1', '10.1.0.2'] }, { addresses: ['10.1.0.3', '10.1.0.4'] }],
    },
  },
  {
    title: 'an Ingress',
    path: `${networking}/namespaces/default/ingresses`,
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'ing' },
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['a.example.com'] }],
        rules: ['a', 'b', 'c', 'd'].map((host) => ({ host: `${host}.example.com` })),
        defaultBackend: { service: { name: 'web', port: { number: 80 } } },
      },
    },
    status: { loadBalancer: { ingress: [{ ip: '198.51.100.4' }] } },
  },
  {
    title: 'an IngressClass',
    path: `${networking}/ingressclasses`,
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'nginx', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: { controller: 'example.com/nginx', parameters: { apiGroup: 'a.b', kind: 'Settings', name: 'x' } },
    },
  },
  {
    title: 'a NetworkPolicy',
    path: `${networking}/namespaces/default/networkpolicies`,
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'np' },
      spec: { podSelector: selector },
    },
  },
  {
    title: 'a NetworkPolicy for all pods',
    path: `${networking}/namespaces/default/networkpolicies`,
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'all' },
      spec: { podSelector: {} },
    },
  },
  {
    title: 'an IPAddress',
    path: `${networking}/ipaddresses`,
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IPAddress',
      metadata: {
        name: '10.0.0.200',
        labels: { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'test' },
      },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: 'x' } },
    },
  },
];

const volume = (name: string, spec: object): PrintedObject => ({
  title: `a PersistentVolume ${name}`,
  path: '/api/v1/persistentvolumes',
  object: {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '2048Mi' },
      accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
      hostPath: { path: '/x' },
      ...spec,
    },
  },
});

const stored: readonly PrintedObject[] = [
  volume('free', {}),
  volume('claimed', { storageClassName: 'fast', claimRef: { namespace: 'default', name: 'pvc' } }),
  {
    title: 'a PersistentVolumeClaim that is new',
    path: `${core}/persistentvolumeclaims`,
    object: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'pvc' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'fast' },
    },
  },
  {
    title: 'a PersistentVolumeClaim that is bound',
    path: `${core}/persistentvolumeclaims`,
    object: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'bound' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeName: 'claimed' },
    },
    status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' } },
  },
  {
    title: 'a StorageClass',
    path: `${storage}/storageclasses`,
    object: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast' },
      provisioner: 'example.com/fast',
      allowVolumeExpansion: true,
    },
  },
  {
    title: 'a CSIDriver',
    path: `${storage}/csidrivers`,
    object: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'fast.example.com' },
      spec: { tokenRequests: [{ audience: 'a' }], volumeLifecycleModes: ['Persistent', 'Ephemeral'] },
    },
  },
  {
    title: 'a CSINode',
    path: `${storage}/csinodes`,
    object: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'node' },
      spec: { drivers: [{ name: 'fast.example.com', nodeID: 'x', topologyKeys: [] }] },
    },
  },
  {
    title: 'a VolumeAttachment',
    path: `${storage}/volumeattachments`,
    object: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'va' },
      spec: { attacher: 'fast.example.com', nodeName: 'node', source: { persistentVolumeName: 'claimed' } },
    },
  },
  {
    title: 'a CSIStorageCapacity',
    path: `${storage}/namespaces/default/csistoragecapacities`,
    object: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIStorageCapacity',
      metadata: { name: 'cap' },
      storageClassName: 'fast',
      capacity: '3Gi',
    },
  },
];

const event = (name: string, more: object): PrintedObject => ({
  title: `an Event ${name}`,
  path: `${core}/events`,
  object: {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'web', fieldPath: 'spec.containers{one}' },
    reason: 'Started',
    message: ' It started. ',
    type: 'Normal',
    ...more,
  },
});
const binding = (kind: string, path: string): PrintedObject => ({
  title: `a ${kind}`,
  path,
  object: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name: 'binding' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [
      { kind: 'User', name: 'jane' },
      { kind: 'User', name: 'joe' },
      { kind: 'Group', name: 'devs' },
      { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
    ],
  },
});

const policyRule = {
  operations: ['CREATE'],
  apiGroups: ['none.example.com'],
  apiVersions: ['v1'],
  resources: ['none'],
};

const cluster: readonly PrintedObject[] = [
  {
    title: 'a ConfigMap',
    path: `${core}/configmaps`,
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cm' },
      data: { a: '1' },
      binaryData: { b: 'eA==' },
    },
  },
  {
    title: 'a Secret',
    path: `${core}/secrets`,
    object: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: '1', b: '2' } },
  },
  {
    title: 'a ServiceAccount',
    path: `${core}/serviceaccounts`,
    object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } },
  },
  {
    title: 'a Namespace',
    path: '/api/v1/namespaces',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'elsewhere' } },
  },
  {
    title: 'a Node that is new',
    path: '/api/v1/nodes',
    object: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'new' }, spec: { unschedulable: true } },
  },
  {
    title: 'a Node that is ready',
    path: '/api/v1/nodes',
    object: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: 'ready',
        labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/edge': '', 'kubernetes.io/role': 'x' },
      },
    },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '10.9.0.1' }],
      nodeInfo: {
        architecture: 'arm64',
        bootID: '',
        containerRuntimeVersion: 'containerd://2',
        kernelVersion: '6.1',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.36.3',
        machineID: '',
        operatingSystem: 'linux',
        osImage: 'Debian',
        systemUUID: '',
      },
    },
  },
  event('of-old-times', {
    firstTimestamp: longAgo,
    lastTimestamp: '2021-01-01T00:00:00Z',
    count: 4,
    source: { component: 'kubelet', host: 'node' },
  }),
  event('of-a-series', {
    eventTime: '2020-01-01T00:00:00.000000Z',
    action: 'Start',
    reportingComponent: 'example.com/c',
    reportingInstance: 'c-0',
    series: { count: 7, lastObservedTime: '2022-01-01T00:00:00.000000Z' },
  }),
  event('without-times', {}),
  {
    title: 'an Event of events.k8s.io',
    path: '/apis/events.k8s.io/v1/namespaces/default/events',
    object: {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'new' },
      eventTime: '2020-01-01T00:00:00.000000Z',
      action: 'Start',
      reason: 'Started',
      note: 'It started.',
      type: 'Normal',
      reportingController: 'example.com/c',
      reportingInstance: 'c-0',
      regarding: { kind: 'Deployment', namespace: 'default', name: 'web' },
    },
  },
  {
    title: 'a Role',
    path: `${rbac}/namespaces/default/roles`,
    object: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'reader' }, rules: [] },
  },
  {
    title: 'a ClusterRole',
    path: `${rbac}/clusterroles`,
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reader' },
      rules: [],
    },
  },
  binding('RoleBinding', `${rbac}/namespaces/default/rolebindings`),
  binding('ClusterRoleBinding', `${rbac}/clusterrolebindings`),
  {
    title: 'a Lease',
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    object: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'leader' },
      spec: { holderIdentity: 'me' },
    },
  },
  {
    title: 'a PriorityClass',
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    object: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 },
  },
  {
    title: 'a ResourceQuota',
    path: `${core}/resourcequotas`,
    object: {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'rq' },
      spec: { hard: { configmaps: '1000' } },
    },
    status: {
      hard: { configmaps: '1000', 'limits.cpu': '4', 'requests.cpu': '2' },
      used: { configmaps: '2', 'limits.cpu': '500m' },
    },
  },
  {
    title: 'a LimitRange',
    path: `${core}/limitranges`,
    object: {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'lr' },
      spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '500Gi' } }] },
    },
  },
  {
    title: 'a RuntimeClass',
    path: '/apis/node.k8s.io/v1/runtimeclasses',
    object: { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'rc' }, handler: 'runc' },
  },
  {
    title: 'a ValidatingWebhookConfiguration',
    path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    object: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'v' },
      webhooks: [],
    },
  },
  {
    title: 'a ValidatingAdmissionPolicy',
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    object: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'v' },
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: { resourceRules: [policyRule] },
        validations: [{ expression: 'true' }, { expression: 'false' }],
      },
    },
  },
  {
    title: 'a MutatingAdmissionPolicy',
    path: '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
    object: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingAdmissionPolicy',
      metadata: { name: 'm' },
      spec: {
        matchConstraints: { resourceRules: [policyRule] },
        reinvocationPolicy: 'Never',
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
      },
    },
  },
  ...[
    ['without a parameter', undefined],
    ['with a parameter', { name: 'p' }],
    ['with a parameter in a namespace', { name: 'p', namespace: 'n' }],
    [
      'with selected parameters',
      {
        selector: {
          matchLabels: { b: 'c', a: 'b' },
          matchExpressions: [{ key: 'x', operator: 'In', values: ['y', 'z'] }],
        },
      },
    ],
  ].map(([title, paramRef], index) => ({
    title: `a MutatingAdmissionPolicyBinding ${title}`,
    path: '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings',
    object: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name: `b${index}` },
      spec: {
        policyName: 'missing',
        ...(paramRef !== undefined && { paramRef: { parameterNotFoundAction: 'Deny', ...(paramRef as object) } }),
      },
    },
  })),
];

export const printedObjects: readonly PrintedObject[] = [...pods, ...workloads, ...network, ...stored, ...cluster];
