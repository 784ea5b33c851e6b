import {
  type AdmittedObject,
  container,
  cronJob,
  daemonSet,
  deployment,
  job,
  other,
  pod,
  podWith,
  rbac,
  replicaSet,
  selector,
  service,
  statefulSet,
  template,
} from './admitted-objects.fixture.ts';
import { invalidPods } from './invalid-pods.fixture.ts';

const jobTemplate = { spec: { containers: [container], restartPolicy: 'Never' } };
const core = '/api/v1/namespaces/default';
const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const ports = [{ port: 80 }];
const ingress = (title: string, spec: object): AdmittedObject =>
  other(title, ingresses, 'networking.k8s.io/v1', 'Ingress', { spec });
const backend = { service: { name: 'web', port: { number: 80 } } };
const configMap = (title: string, body: object): AdmittedObject =>
  other(title, `${core}/configmaps`, 'v1', 'ConfigMap', body);
const secret = (title: string, body: object): AdmittedObject => other(title, `${core}/secrets`, 'v1', 'Secret', body);
const claim = (title: string, spec: object): AdmittedObject =>
  other(title, `${core}/persistentvolumeclaims`, 'v1', 'PersistentVolumeClaim', { spec });
const budget = (title: string, spec: object): AdmittedObject =>
  other(title, '/apis/policy/v1/namespaces/default/poddisruptionbudgets', 'policy/v1', 'PodDisruptionBudget', { spec });
const volumePod = (title: string, volume: object): AdmittedObject =>
  pod(title, { containers: [container], volumes: [volume] });

const limitRange = (title: string, ...limits: readonly object[]): AdmittedObject =>
  other(title, `${core}/limitranges`, 'v1', 'LimitRange', { spec: { limits } });
const quota = (title: string, spec: object): AdmittedObject =>
  other(title, `${core}/resourcequotas`, 'v1', 'ResourceQuota', { spec });
const scoped = (scopeName: string, operator: string, values?: readonly string[]): object => ({
  scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values !== undefined && { values }) }] },
});

/** Objects that the server rejects. Tests compare the causes of the Status. */
export const invalidObjects: readonly AdmittedObject[] = [
  ...invalidPods,
  pod('without containers', {}),
  pod('with an empty container', { containers: [{}] }),
  pod('with names in upper case', {
    containers: [
      { name: 'Main', image: 'a' },
      { name: 'a.b', image: 'a' },
    ],
  }),
  pod('with a duplicate container name', { containers: [container, container] }),
  pod('with an unknown restart policy', { containers: [container], restartPolicy: 'Sometimes' }),
  pod('with an unknown DNS policy', { containers: [container], dnsPolicy: 'Mine' }),
  pod('with invalid names', {
    containers: [container],
    serviceAccountName: 'A_b',
    nodeName: 'N_1',
    hostname: 'a.b',
    subdomain: '-',
  }),
  pod('with a deadline of 0', { containers: [container], activeDeadlineSeconds: 0 }),
  pod('with an invalid node selector', { containers: [container], nodeSelector: { 'a b': 'c d', '/x': 'ok' } }),
  pod('with invalid tolerations', {
    containers: [container],
    tolerations: [
      { operator: 'Equal', value: 'x' },
      { key: 'a', operator: 'Exists', value: 'b' },
      { key: 'a', effect: 'NoSchedule', tolerationSeconds: 3 },
      { key: 'a', operator: 'Near', effect: 'Never' },
    ],
  }),
  pod('with an init container that has a probe', {
    containers: [container],
    initContainers: [{ name: 'first', image: 'b', readinessProbe: { exec: { command: ['a'] } }, lifecycle: {} }],
  }),
  pod('with an init container whose name is in use', { containers: [container], initContainers: [container] }),
  pod('with ephemeral containers', { containers: [container], ephemeralContainers: [{ name: 'e', image: 'e' }] }),
  pod('with a scheduling gate and a node', {
    containers: [container],
    schedulingGates: [{ name: 'a' }, { name: 'a' }],
    nodeName: 'n',
  }),
  pod('with incomplete topology spread constraints', {
    containers: [container],
    topologySpreadConstraints: [{ maxSkew: 0 }],
  }),
  pod('with users out of range', {
    containers: [{ ...container, securityContext: { runAsUser: -1, runAsGroup: 3_000_000_000 } }],
    securityContext: { runAsUser: -5, fsGroup: -6, supplementalGroups: [1, -7] },
  }),
  podWith('with invalid ports', {
    ports: [
      { containerPort: 0 },
      { containerPort: 70_000, name: 'Web' },
      { containerPort: 1, name: 'a', protocol: 'HTTP', hostPort: 99_999 },
      { containerPort: 2, name: 'a' },
      { containerPort: 3, name: 'a-name-that-is-long' },
      { containerPort: 4, name: '--1' },
    ],
  }),
  podWith('with a duplicate host port', {
    ports: [
      { containerPort: 1, hostPort: 9 },
      { containerPort: 2, hostPort: 9 },
    ],
  }),
  podWith('with invalid environment', {
    env: [
      { value: 'x' },
      { name: 'a=b' },
      { name: 'A', value: 'v', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'B', valueFrom: {} },
      { name: 'C', valueFrom: { fieldRef: { fieldPath: 'spec.nothing' } } },
      { name: 'D', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
      { name: 'E', valueFrom: { configMapKeyRef: { name: 'A', key: 'a b' } } },
      { name: 'F', valueFrom: { secretKeyRef: { name: 'a' } } },
      { name: 'G', valueFrom: { resourceFieldRef: { resource: 'limits.gpu' } } },
    ],
    envFrom: [{}, { configMapRef: {} }, { secretRef: { name: 'A' } }],
  }),
  podWith('with invalid mounts', {
    volumeMounts: [
      { name: 'missing', mountPath: '/a' },
      { name: '', mountPath: '' },
      { name: 'missing', mountPath: '/a' },
    ],
  }),
  podWith('with an unknown pull policy', { imagePullPolicy: 'Maybe' }),
  podWith('with an unknown message policy', { terminationMessagePolicy: 'Mail' }),
  podWith('with probes without a handler', {
    livenessProbe: {},
    readinessProbe: { exec: {}, httpGet: { port: 80 } },
    startupProbe: { tcpSocket: { port: 'Http' }, successThreshold: 2, periodSeconds: -1 },
  }),
  podWith('with a probe of an invalid port', {
    livenessProbe: { httpGet: { port: 0, scheme: 'FTP' }, timeoutSeconds: -1 },
  }),
  podWith('with a readiness probe that has a grace period', {
    readinessProbe: { exec: { command: ['a'] }, terminationGracePeriodSeconds: 0 },
  }),
  podWith('with an empty lifecycle hook', { lifecycle: { preStop: {} } }),
  podWith('with unknown resources', {
    resources: { limits: { gpu: '1', 'a b': '1', 'example.com/x': '1.5' } },
  }),
  podWith('with requests over its limits', {
    resources: {
      limits: { cpu: '1', 'example.com/x': '2' },
      requests: { cpu: '1500m', memory: '-1', 'example.com/x': '1' },
    },
  }),
  volumePod('with a volume without a name', { emptyDir: {} }),
  volumePod('with a volume with two sources', { name: 'a', emptyDir: {}, hostPath: { path: '/a' } }),
  volumePod('with a volume of an unnamed config map', { name: 'a', configMap: { defaultMode: 9999 } }),
  volumePod('with a volume of an unnamed secret', { name: 'A', secret: { items: [{ key: '', path: '../x' }] } }),
  volumePod('with a volume of an unnamed claim', { name: 'a', persistentVolumeClaim: {} }),
  volumePod('with a path that contains ..', { name: 'a', hostPath: { path: '/a/../b', type: 'Other' } }),
  pod('with a duplicate volume', { containers: [container], volumes: [{ name: 'a' }, { name: 'a' }] }),

  deployment('that is empty', { selector: {}, template: { spec: { containers: [] } } }),
  deployment('without a selector', { template }),
  deployment('whose labels do not match', { selector: { matchLabels: { app: 'other' } }, template }),
  deployment('with negative replicas', {
    selector,
    template,
    replicas: -1,
    minReadySeconds: -1,
    revisionHistoryLimit: -1,
  }),
  deployment('with a too short deadline', { selector, template, minReadySeconds: 10, progressDeadlineSeconds: 10 }),
  deployment('with an unknown strategy', { selector, template, strategy: { type: 'Magic' } }),
  deployment('that combines Recreate with a rolling update', {
    selector,
    template,
    strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } },
  }),
  deployment('whose rolling update cannot proceed', {
    selector,
    template,
    strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
  }),
  deployment('with invalid percentages', {
    selector,
    template,
    strategy: { rollingUpdate: { maxSurge: 'a', maxUnavailable: '200%' } },
  }),
  deployment('with an invalid selector', {
    selector: {
      matchExpressions: [
        { key: 'a', operator: 'Has' },
        { key: 'b', operator: 'In' },
        { key: '', operator: 'Exists', values: ['x'] },
      ],
    },
    template,
  }),
  deployment('with invalid labels in its selector', { selector: { matchLabels: { 'a b': 'c d' } }, template }),
  deployment('that never restarts', {
    selector,
    template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 5 } },
  }),
  deployment('with invalid labels in its template', {
    selector,
    template: { ...template, metadata: { labels: { app: 'web', 'x y': 'z' }, annotations: { '!': 'a' } } },
  }),
  replicaSet('that is empty', { selector: {}, template: { spec: { containers: [] } }, replicas: -2 }),
  replicaSet('whose labels do not match', { selector: { matchLabels: { app: 'other' } }, template }),
  statefulSet('that is empty', { selector: {}, template: { spec: { containers: [] } }, replicas: -2 }),
  statefulSet('with unknown policies', {
    selector,
    template,
    podManagementPolicy: 'Any',
    updateStrategy: { type: 'Magic' },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Maybe' },
    serviceName: 'A_b',
  }),
  statefulSet('with an empty claim', { selector, template, volumeClaimTemplates: [{ metadata: { name: 'a' } }] }),
  statefulSet('with a negative partition', {
    selector,
    template,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: -1 } },
  }),
  daemonSet('that is empty', { selector: {}, template: { spec: { containers: [] } } }),
  daemonSet('whose rolling update cannot proceed', {
    selector,
    template,
    updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
  }),
  daemonSet('with both maxSurge and maxUnavailable', {
    selector,
    template,
    updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
  }),
  daemonSet('with an unknown strategy', { selector, template, updateStrategy: { type: 'Magic' } }),
  other('that is empty', `${core}/replicationcontrollers`, 'v1', 'ReplicationController', { spec: { replicas: -1 } }),
  job('that is empty', { template: { spec: { containers: [] } } }),
  job('with negative counts', {
    template: jobTemplate,
    parallelism: -1,
    completions: -1,
    backoffLimit: -1,
    activeDeadlineSeconds: -1,
    ttlSecondsAfterFinished: -1,
  }),
  job('that always restarts', { template: { spec: { containers: [container], restartPolicy: 'Always' } } }),
  job('with an unknown mode', { template: jobTemplate, completionMode: 'Random', backoffLimitPerIndex: 1 }),
  job('with numbered completions but no count', { template: jobTemplate, completionMode: 'Indexed', parallelism: 2 }),
  job('with the selector of other pods', { template: jobTemplate, selector }),
  cronJob('that is empty', { jobTemplate: { spec: { template: jobTemplate } } }),
  ...[
    '* * * *',
    '70 * * * *',
    '@often',
    'a * * * *',
    '5-1 * * * *',
    '*/0 * * * *',
    '* * * * mon-x',
    'TZ=UTC * * * * *',
    '@every 5',
    '@every 1d',
  ].map((schedule) => cronJob(`at ${schedule}`, { schedule, jobTemplate: { spec: { template: jobTemplate } } })),
  cronJob('in an unknown time zone', {
    schedule: '@daily',
    timeZone: 'Moon/Base',
    concurrencyPolicy: 'Maybe',
    startingDeadlineSeconds: -1,
    successfulJobsHistoryLimit: -1,
    jobTemplate: { spec: { template: jobTemplate } },
  }),
  cronJob(
    'with a long name',
    { schedule: '@daily', jobTemplate: { spec: { template: jobTemplate } } },
    { name: 'x'.repeat(53) },
  ),

  service('without ports', {}),
  service('with invalid ports', {
    ports: [{ port: 0 }, { port: 80, name: 'A', protocol: 'HTTP', targetPort: 'x--y' }],
  }),
  service('with a duplicate port', {
    ports: [
      { name: 'a', port: 80 },
      { name: 'a', port: 81 },
    ],
  }),
  service('with a duplicate port number', {
    ports: [
      { name: 'a', port: 80, nodePort: 5 },
      { name: 'b', port: 80, nodePort: 5 },
    ],
  }),
  service('with an unknown type', { ports, type: 'Magic' }),
  service('with an unknown affinity', { ports, sessionAffinity: 'Love' }),
  service('with a short affinity', {
    ports,
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
  }),
  service('with an invalid selector', { ports, selector: { 'a b': 'c d' } }),
  service('with fields of another type', {
    ports: [{ port: 80, nodePort: 30_001 }],
    externalTrafficPolicy: 'Local',
    loadBalancerClass: 'a/b',
    allocateLoadBalancerNodePorts: true,
    healthCheckNodePort: 5,
    loadBalancerSourceRanges: ['10.0.0.0/8'],
  }),
  service('with unknown policies', {
    ports,
    type: 'NodePort',
    externalTrafficPolicy: 'X',
    internalTrafficPolicy: 'Y',
    trafficDistribution: 'Z',
  }),
  service('without an external name', { type: 'ExternalName' }),
  service('with an invalid external name', { type: 'ExternalName', externalName: 'A_b' }),
  service('without an address behind a load balancer', { type: 'LoadBalancer', clusterIP: 'None', ports }),
  service('with invalid external addresses', { ports, externalIPs: ['x', '127.0.0.1', '0.0.0.0', '169.254.1.1'] }),

  configMap('with invalid keys', { data: { 'a b': 'c', '..': 'd', '..x': 'e' }, binaryData: { '': 'eA==' } }),
  configMap('with a duplicate key', { data: { a: 'b' }, binaryData: { a: 'eA==' } }),
  configMap('that is too large', { data: { a: 'x'.repeat(1024 * 1024 + 1) } }),
  secret('with invalid keys', { data: { 'a b': '' } }),
  secret('for TLS without keys', { type: 'kubernetes.io/tls' }),
  secret('for a registry without keys', { type: 'kubernetes.io/dockerconfigjson' }),
  secret('for a login without keys', { type: 'kubernetes.io/basic-auth' }),
  secret('for SSH without keys', { type: 'kubernetes.io/ssh-auth' }),
  secret('for an account without a name', { type: 'kubernetes.io/service-account-token' }),
  other('with an invalid finalizer', '/api/v1/namespaces', 'v1', 'Namespace', { spec: { finalizers: ['mine'] } }),
  claim('that is empty', {}),
  claim('with invalid modes', {
    accessModes: ['ReadWriteOncePod', 'ReadSometimes', 'ReadOnlyMany'],
    resources: { requests: { storage: '0' } },
    storageClassName: 'A',
    volumeMode: 'Any',
  }),

  rbac(
    'Role',
    'roles',
    { rules: [{}, { nonResourceURLs: ['/x'], verbs: ['get'], resources: ['pods'] }] },
    'with invalid rules',
  ),
  rbac('ClusterRole', 'clusterroles', { rules: [{ apiGroups: [''] }], aggregationRule: {} }, 'with invalid rules'),
  rbac(
    'RoleBinding',
    'rolebindings',
    {
      roleRef: { apiGroup: 'x', kind: 'Other', name: '' },
      subjects: [
        { kind: 'Robot', name: 'r' },
        { kind: 'User' },
        { kind: 'ServiceAccount', name: 'A_b', apiGroup: 'x' },
      ],
    },
    'to an empty role reference',
  ),
  rbac(
    'ClusterRoleBinding',
    'clusterrolebindings',
    { roleRef: { kind: 'Role', name: 'a/b' }, subjects: [{ kind: 'ServiceAccount', name: 'robot' }] },
    'to a role',
  ),
  other(
    'with invalid times',
    '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    'coordination.k8s.io/v1',
    'Lease',
    {
      spec: { leaseDurationSeconds: 0, leaseTransitions: -1 },
    },
  ),
  other('about an object in another namespace', `${core}/events`, 'v1', 'Event', {
    involvedObject: { namespace: 'elsewhere' },
  }),
  other('with an eventTime but without other required fields', `${core}/events`, 'v1', 'Event', {
    involvedObject: { namespace: 'default' },
    eventTime: '2020-01-01T00:00:00.000000Z',
  }),
  other('that is empty', '/apis/events.k8s.io/v1/namespaces/default/events', 'events.k8s.io/v1', 'Event', {}),
  budget('with both minAvailable and maxUnavailable', { minAvailable: 1, maxUnavailable: 1, selector }),
  budget('with invalid amounts', { minAvailable: '101%', unhealthyPodEvictionPolicy: 'X' }),
  budget('with a negative amount', { maxUnavailable: -1 }),
  ingress('that is empty', {}),
  ingress('with invalid rules', {
    ingressClassName: 'A',
    tls: [{ hosts: ['A', '*.x', 'a.*'], secretName: 'A' }],
    rules: [
      { host: '1.2.3.4' },
      { host: '*' },
      { host: 'a', http: { paths: [] } },
      {
        http: {
          paths: [
            { path: 'x', pathType: 'Prefix', backend },
            { path: '/a//b/..', pathType: 'Exact', backend: {} },
            { path: '/', pathType: 'Any', backend: { service: { name: 'A', port: {} } } },
            { path: '/' },
            { pathType: 'ImplementationSpecific', backend: { service: { name: 'a', port: { name: 'x', number: 1 } } } },
          ],
        },
      },
    ],
  }),
  limitRange('of an unknown type', { type: 'Node', max: { cpu: '1' } }, { type: 'a b' }, { type: '' }),
  limitRange('of a type twice', { type: 'Pod', max: { cpu: '1' } }, { type: 'Pod', max: { cpu: '1' } }),
  limitRange('of unknown resources', { type: 'Container', max: { gpu: '1', 'a b': '1', 'requests.x.com/y': '1' } }),
  limitRange('of a quota resource', { type: 'Container', min: { pods: '1', 'requests.hugepages-2Mi': '1' } }),
  limitRange('of storage of a container', { type: 'Container', max: { storage: '1Gi' } }),
  limitRange('of an unknown resource of a claim', { type: 'PersistentVolumeClaim', max: { x: '1', storage: '1' } }),
  limitRange('of a claim without amounts', { type: 'PersistentVolumeClaim' }),
  limitRange('of a claim by CPU', { type: 'PersistentVolumeClaim', min: { cpu: '1' } }),
  limitRange('with defaults for pods', { type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }),
  limitRange('with min above max', { type: 'Pod', min: { cpu: '2' }, max: { cpu: '1500m' } }),
  limitRange('with defaults below min', {
    type: 'Container',
    min: { cpu: '2' },
    default: { cpu: '1' },
    defaultRequest: { cpu: '1' },
  }),
  limitRange('with defaults above max', {
    type: 'Container',
    max: { memory: '1Mi' },
    default: { memory: '2048Ki' },
    defaultRequest: { memory: '3Mi' },
  }),
  limitRange('with a default request above the default', {
    type: 'Container',
    default: { cpu: '1' },
    defaultRequest: { cpu: '2' },
  }),
  limitRange('with a low ratio', { type: 'Pod', maxLimitRequestRatio: { cpu: '0.5' } }),
  limitRange('with an unreachable ratio', {
    type: 'Pod',
    min: { cpu: '3' },
    max: { cpu: '10' },
    maxLimitRequestRatio: { cpu: '4' },
  }),
  limitRange('with an unreachable ratio of large amounts', {
    type: 'Pod',
    min: { memory: '3Ei' },
    max: { memory: '7Ei' },
    maxLimitRequestRatio: { memory: '3' },
  }),
  limitRange('with overcommitted huge pages', {
    type: 'Container',
    default: { 'hugepages-2Mi': '4Mi', 'example.com/gpu': '2' },
    defaultRequest: { 'hugepages-2Mi': '2Mi', 'example.com/gpu': '1' },
  }),
  quota('of unknown resources', { hard: { gpu: '1', 'a b': '1', storage: '1Gi', 'limits.hugepages-2Mi': '1' } }),
  quota('with negative amounts and fractions', { hard: { pods: '1.5', cpu: '-1', 'x.com/gpu': '0.5', secrets: '-1' } }),
  quota('with unknown scopes', { hard: { pods: '1' }, scopes: ['Other', 'Another'] }),
  quota('with scopes of other resources', { hard: { pods: '1', cpu: '1', services: '1' }, scopes: ['BestEffort'] }),
  quota('with conflicting scopes', {
    hard: { pods: '1' },
    scopes: ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating'],
  }),
  quota('with a scope of volumes for pods', { hard: { pods: '1' }, scopes: ['VolumeAttributesClass'] }),
  quota('with an unknown scope in the selector', scoped('Other', 'Exists')),
  quota('with an unknown operator', scoped('PriorityClass', 'Near', ['a'])),
  quota('without an operator', { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass' }] } }),
  quota('without values of a scope', scoped('PriorityClass', 'In')),
  quota('with values of an existing scope', scoped('PriorityClass', 'Exists', ['a'])),
  quota('with an operator for a scope without values', scoped('Terminating', 'In', ['a'])),
  quota('with a selector for other resources', {
    hard: { services: '1', pods: '1' },
    ...scoped('PriorityClass', 'In', ['a']),
  }),
  quota('with a conflicting selector', {
    hard: { pods: '1' },
    scopeSelector: {
      matchExpressions: [
        { scopeName: 'Terminating', operator: 'Exists' },
        { scopeName: 'NotTerminating', operator: 'Exists' },
      ],
    },
  }),
];
