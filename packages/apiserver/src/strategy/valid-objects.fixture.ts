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
import { validPods } from './valid-pods.fixture.ts';

const jobTemplate = { spec: { containers: [container], restartPolicy: 'Never' } };
const http = { httpGet: { port: 'http' } };
const core = '/api/v1/namespaces/default';
const networking = '/apis/networking.k8s.io/v1';
const storage = '/apis/storage.k8s.io/v1';

/** Objects that the server accepts. Tests compare the defaults field by field. */
export const validObjects: readonly AdmittedObject[] = [
  ...validPods,
  podWith('with only the required fields', {}),
  podWith('with the latest image', { image: 'nginx' }),
  podWith('with an image tagged latest', { image: 'localhost:5000/a/nginx:latest' }),
  podWith('with an image with a digest', { image: `nginx@sha256:${'a'.repeat(64)}` }),
  podWith('with an image in upper case', { image: 'NGINX' }),
  podWith('with ports', { ports: [{ containerPort: 80 }, { name: 'dns', containerPort: 53, protocol: 'UDP' }] }),
  podWith('with environment', {
    env: [
      { name: 'A', value: 'b' },
      { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      { name: 'LABEL', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
      { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1' } } },
      { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    ],
    envFrom: [{ configMapRef: { name: 'c' } }, { prefix: 'X_', secretRef: { name: 's' } }],
  }),
  podWith('with probes', {
    ports: [{ containerPort: 80, name: 'http' }],
    livenessProbe: { exec: { command: ['true'] }, periodSeconds: 3 },
    readinessProbe: http,
    startupProbe: { grpc: { port: 9000 } },
    lifecycle: { postStart: http, preStop: { sleep: { seconds: 3 } } },
  }),
  podWith('with limits', { resources: { limits: { cpu: '0.5', memory: '1024Mi' } } }),
  podWith('with requests', { resources: { requests: { cpu: '1e2', memory: '1.5Gi' }, limits: { memory: '2G' } } }),
  podWith('with requests of small fractions', { resources: { requests: { cpu: '0.0001', memory: '100.5' } } }),
  pod('that is guaranteed', {
    containers: [{ ...container, resources: { limits: { cpu: '2', memory: '1Gi' } } }],
    initContainers: [{ name: 'first', image: 'busybox', resources: { limits: { cpu: 1, memory: '1Gi' } } }],
  }),
  pod('with pod-level limits', {
    containers: [
      { ...container, resources: { requests: { cpu: '100m' } } },
      { name: 'b', image: 'b:1' },
    ],
    resources: { limits: { cpu: '1', memory: '1Gi' } },
  }),
  pod('on the network of its host', {
    hostNetwork: true,
    containers: [{ ...container, ports: [{ containerPort: 80 }] }],
  }),
  pod('with tolerations', {
    containers: [container],
    tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }],
  }),
  pod('that tolerates everything', { containers: [container], tolerations: [{ operator: 'Exists' }] }),
  pod('with a priority', { containers: [container], priorityClassName: 'system-node-critical' }),
  pod('with a service account', { containers: [container], serviceAccountName: 'robot' }),
  pod('with the old name of a service account', { containers: [container], serviceAccount: 'robot' }),
  pod('with a sidecar', {
    containers: [container],
    initContainers: [
      { name: 'side', image: 'b:1', restartPolicy: 'Always', readinessProbe: { tcpSocket: { port: 1 } } },
    ],
  }),
  pod('with a scheduling gate', { containers: [container], schedulingGates: [{ name: 'example.com/wait' }] }),
  pod('with volumes', {
    containers: [
      {
        ...container,
        volumeMounts: [
          { name: 'a', mountPath: '/a' },
          { name: 'b', mountPath: '/b' },
        ],
      },
    ],
    volumes: [
      { name: 'a' },
      { name: 'b', configMap: { name: 'c' } },
      { name: 'c', secret: { secretName: 's', items: [{ key: 'k', path: 'p/q' }] } },
      { name: 'd', hostPath: { path: '/d' } },
      { name: 'e', persistentVolumeClaim: { claimName: 'e' } },
      { name: 'f', downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
      {
        name: 'g',
        projected: {
          sources: [
            { configMap: { name: 'c' } },
            { downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
          ],
        },
      },
      {
        name: 'h',
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
          },
        },
      },
      { name: 'i', iscsi: { targetPortal: '1.2.3.4:3260', iqn: 'iqn.2001-04.com.example:storage', lun: 0 } },
      { name: 'j', image: { reference: 'quay.io/a/b' } },
    ],
  }),

  pod(
    'with warnings',
    {
      containers: [
        {
          ...container,
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
            { name: 'A', value: 'x$(A)' },
          ],
          ports: [{ containerPort: 80, name: 'a' }, { containerPort: 80 }, { containerPort: 80, hostPort: 1 }],
          resources: { requests: { memory: '1.5' } },
        },
        { name: 'other', image: 'b:1', ports: [{ containerPort: 81, name: 'a' }] },
      ],
    },
    { name: 'a.b' },
  ),
  deployment(
    'with warnings',
    {
      selector,
      template: {
        ...template,
        spec: { containers: [{ ...container, ports: [{ containerPort: 1 }, { containerPort: 1 }] }] },
      },
    },
    { name: 'a.b' },
  ),
  service('with warnings', {
    clusterIP: 'None',
    ports: [{ port: 80 }],
    sessionAffinity: 'ClientIP',
    externalIPs: ['203.0.113.7'],
  }),

  deployment('with only the required fields', { selector, template }),
  deployment('that is recreated', { selector, template, strategy: { type: 'Recreate' }, replicas: 0 }),
  deployment('with an incomplete strategy', { selector, template, strategy: { rollingUpdate: { maxSurge: 2 } } }),
  deployment('on the network of its host', {
    selector,
    template: {
      ...template,
      spec: { hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] },
    },
  }),
  deployment('with limits', {
    selector,
    template: { ...template, spec: { containers: [{ ...container, resources: { limits: { cpu: '0.25' } } }] } },
  }),
  replicaSet('with only the required fields', { selector, template }),
  statefulSet('with only the required fields', { selector, template, serviceName: 'web' }),
  statefulSet('with claims', {
    selector,
    serviceName: 'web',
    template: {
      ...template,
      spec: { containers: [{ ...container, volumeMounts: [{ name: 'data', mountPath: '/data' }] }] },
    },
    updateStrategy: { type: 'RollingUpdate' },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2048Mi' } } },
      },
    ],
  }),
  statefulSet('that is updated on delete', { selector, template, updateStrategy: { type: 'OnDelete' } }),
  daemonSet('with only the required fields', { selector, template }),
  daemonSet('that is updated on delete', { selector, template, updateStrategy: { type: 'OnDelete' } }),
  other('with labels from its template', `${core}/replicationcontrollers`, 'v1', 'ReplicationController', {
    spec: { template },
  }),
  job('with only the required fields', { template: jobTemplate }),
  job('that works in parallel', {
    template: { ...jobTemplate, ...{ metadata: { labels: { a: 'b' } } } },
    parallelism: 3,
  }),
  job('with numbered completions', {
    template: jobTemplate,
    completions: 3,
    completionMode: 'Indexed',
    backoffLimitPerIndex: 1,
  }),
  job('with its own selector', {
    template: { ...jobTemplate, metadata: { labels: { app: 'web' } } },
    selector,
    manualSelector: true,
  }),
  job('with a policy for failures', {
    template: jobTemplate,
    podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
  }),
  cronJob('with only the required fields', {
    schedule: '*/5 * * * mon-fri',
    jobTemplate: { spec: { template: jobTemplate } },
  }),

  service('with only the required fields', { ports: [{ port: 80 }] }),
  service('with named ports', {
    selector: { app: 'web' },
    ports: [
      { name: 'http', port: 80, targetPort: 'http' },
      { name: 'dns', port: 53, protocol: 'UDP' },
    ],
  }),
  service('for sticky clients', { ports: [{ port: 80 }], sessionAffinity: 'ClientIP' }),
  service('on nodes', { type: 'NodePort', ports: [{ port: 80 }] }),
  service('behind a load balancer', { type: 'LoadBalancer', ports: [{ port: 80 }] }),
  service('behind a load balancer of local endpoints', {
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    ports: [{ port: 80 }],
  }),
  service('behind a load balancer without node ports', {
    type: 'LoadBalancer',
    allocateLoadBalancerNodePorts: false,
    ports: [{ port: 80 }],
  }),
  service('without an address', { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80 }] }),
  service('without an address or a selector', { clusterIP: 'None' }),
  service('with an external name', { type: 'ExternalName', externalName: 'example.com' }),
  service('with external addresses', { ports: [{ port: 80 }], externalIPs: ['203.0.113.7'] }),
  service('with preferred dual stack', { ports: [{ port: 80 }], ipFamilyPolicy: 'PreferDualStack' }),

  other('plain', `${core}/configmaps`, 'v1', 'ConfigMap', { data: { a: 'b' } }),
  other('that is empty', `${core}/configmaps`, 'v1', 'ConfigMap', {}),
  other('with strings', `${core}/secrets`, 'v1', 'Secret', { stringData: { a: 'ä', b: '2' }, data: { b: 'MQ==' } }),
  other('for TLS', `${core}/secrets`, 'v1', 'Secret', {
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': 'eA==', 'tls.key': 'eA==' },
  }),
  other('plain', '/api/v1/namespaces', 'v1', 'Namespace', {}),
  other('with a finalizer', '/api/v1/namespaces', 'v1', 'Namespace', { spec: { finalizers: ['example.com/mine'] } }),
  other('with secrets', `${core}/serviceaccounts`, 'v1', 'ServiceAccount', {
    secrets: [{ name: 's', kind: 'Secret' }],
  }),
  other('plain', '/api/v1/nodes', 'v1', 'Node', { status: { capacity: { cpu: '4', memory: '8192Mi' } } }),
  other('plain', `${core}/endpoints`, 'v1', 'Endpoints', {
    subsets: [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 80 }] }],
  }),
  other('plain', `${core}/persistentvolumeclaims`, 'v1', 'PersistentVolumeClaim', {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1024Mi' } },
      dataSource: { kind: 'PersistentVolumeClaim', name: 'other' },
    },
  }),
  other('from an unknown source', `${core}/persistentvolumeclaims`, 'v1', 'PersistentVolumeClaim', {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSource: { apiGroup: 'example.com', kind: 'Other', name: 'other' },
    },
  }),
  other('plain', '/api/v1/persistentvolumes', 'v1', 'PersistentVolume', {
    spec: { capacity: { storage: '1024Mi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
  }),
  other('for containers', `${core}/limitranges`, 'v1', 'LimitRange', {
    spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '0.1', memory: '1Mi' } }] },
  }),
  other('of every type', `${core}/limitranges`, 'v1', 'LimitRange', {
    spec: {
      limits: [
        { type: 'Pod', min: { cpu: '0.1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '4', memory: '2' } },
        { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } },
        { type: 'example.com/Own', max: { 'example.com/x': '1' } },
        { type: 'Container', default: { 'example.com/gpu': '1' }, defaultRequest: { cpu: '100m' } },
      ],
    },
  }),
  other('with requests above limits', `${core}/resourcequotas`, 'v1', 'ResourceQuota', {
    spec: {
      hard: {
        'requests.cpu': '2',
        'limits.cpu': '1500m',
        memory: '2Gi',
        'limits.memory': '1Gi',
        'requests.ephemeral-storage': '2',
        'limits.ephemeral-storage': '1',
        'count/widgets.example.com': '3',
        'gold.storageclass.storage.k8s.io/requests.storage': '1Gi',
      },
    },
  }),
  other('with scopes', `${core}/resourcequotas`, 'v1', 'ResourceQuota', {
    spec: {
      hard: { pods: '1', 'requests.cpu': '1' },
      scopes: ['Terminating'],
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
    },
  }),
  other('plain', `${core}/resourcequotas`, 'v1', 'ResourceQuota', { spec: { hard: { pods: '10', cpu: '1.5' } } }),
  other('in the old form', `${core}/events`, 'v1', 'Event', {
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
  }),
  other('plain', `${core}/podtemplates`, 'v1', 'PodTemplate', { template }),

  rbac('Role', 'roles', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
  rbac('ClusterRole', 'clusterroles', { rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] }),
  rbac('RoleBinding', 'rolebindings', {
    roleRef: { kind: 'Role', name: 'r' },
    subjects: [
      { kind: 'User', name: 'jane' },
      { kind: 'ServiceAccount', name: 'robot' },
    ],
  }),
  rbac('ClusterRoleBinding', 'clusterrolebindings', {
    roleRef: { kind: 'ClusterRole', name: 'r' },
    subjects: [{ kind: 'Group', name: 'devs' }],
  }),

  other('plain', `${networking}/namespaces/default/ingresses`, 'networking.k8s.io/v1', 'Ingress', {
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  }),
  other('with parameters', `${networking}/ingressclasses`, 'networking.k8s.io/v1', 'IngressClass', {
    spec: { controller: 'example.com/c', parameters: { kind: 'ConfigMap', name: 'x' } },
  }),
  other(
    'for both directions',
    `${networking}/namespaces/default/networkpolicies`,
    'networking.k8s.io/v1',
    'NetworkPolicy',
    {
      spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] },
    },
  ),
  other(
    'with only the required fields',
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3 } },
  ),
  other(
    'with a behaviour',
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: 3,
        behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
      },
    },
  ),
  other('plain', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', 'policy/v1', 'PodDisruptionBudget', {
    spec: { minAvailable: 1, selector },
  }),
  other('plain', '/apis/coordination.k8s.io/v1/namespaces/default/leases', 'coordination.k8s.io/v1', 'Lease', {
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15 },
  }),
  other(
    'plain',
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    'discovery.k8s.io/v1',
    'EndpointSlice',
    {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.0.1'] }],
      ports: [{ port: 80 }],
    },
  ),
  other('plain', '/apis/scheduling.k8s.io/v1/priorityclasses', 'scheduling.k8s.io/v1', 'PriorityClass', { value: 10 }),
  other('plain', `${storage}/storageclasses`, 'storage.k8s.io/v1', 'StorageClass', { provisioner: 'example.com/p' }),
  other('plain', `${storage}/csidrivers`, 'storage.k8s.io/v1', 'CSIDriver', { spec: {} }),
];
