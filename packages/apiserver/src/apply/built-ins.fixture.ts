import type { JsonObject } from '@evenkeel/apimachinery/json';

/** A built-in kind with an object of it to create. */
export interface BuiltIn {
  readonly definition: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  readonly object: JsonObject;
  /** What the server sets after ownership is: paths below the object, separated by dots. */
  readonly setLater?: readonly string[];
}

const podSpec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }], env: [{ name: 'E', value: '1' }] }] },
};
const selector = { matchLabels: { app: 'a' } };

const builtIn = (
  group: string,
  version: string,
  kind: string,
  resource: string,
  object: JsonObject,
  more: Partial<BuiltIn> = {},
): BuiltIn => ({
  definition: `io.k8s.api.${group === '' ? 'core' : group.split('.')[0]}.${version}.${kind}`,
  apiVersion: group === '' ? version : `${group}/${version}`,
  kind,
  path: `${group === '' ? '/api' : `/apis/${group}`}/${version}/${resource}`,
  object,
  ...more,
});
const inDefault = (resource: string) => `namespaces/default/${resource}`;

export const builtIns: readonly BuiltIn[] = [
  builtIn('', 'v1', 'Secret', inDefault('secrets'), { stringData: { a: 'b' } }, { setLater: ['stringData'] }),
  builtIn(
    '',
    'v1',
    'Pod',
    inDefault('pods'),
    { spec: podSpec },
    { setLater: ['spec.priority', 'spec.preemptionPolicy', 'spec.tolerations'] },
  ),
  builtIn('', 'v1', 'ServiceAccount', inDefault('serviceaccounts'), { automountServiceAccountToken: false }),
  builtIn(
    '',
    'v1',
    'PersistentVolumeClaim',
    inDefault('persistentvolumeclaims'),
    {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    { setLater: ['metadata.finalizers'] },
  ),
  builtIn('', 'v1', 'ResourceQuota', inDefault('resourcequotas'), { spec: { hard: { pods: '3' } } }),
  builtIn('', 'v1', 'LimitRange', inDefault('limitranges'), { spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } }),
  builtIn('', 'v1', 'ReplicationController', inDefault('replicationcontrollers'), { spec: { template } }),
  builtIn('', 'v1', 'Endpoints', inDefault('endpoints'), {
    subsets: [{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 1 }] }],
  }),
  builtIn('', 'v1', 'Event', inDefault('events'), {
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'x' },
    reason: 'R',
    message: 'm',
    type: 'Normal',
  }),
  builtIn('', 'v1', 'Namespace', 'namespaces', { metadata: { labels: { a: 'b' } } }, { setLater: ['spec'] }),
  builtIn('', 'v1', 'Node', 'nodes', { spec: { unschedulable: true } }, { setLater: ['spec.taints'] }),
  builtIn(
    '',
    'v1',
    'PersistentVolume',
    'persistentvolumes',
    {
      spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } },
    },
    { setLater: ['metadata.finalizers'] },
  ),
  builtIn('apps', 'v1', 'StatefulSet', inDefault('statefulsets'), { spec: { selector, serviceName: 's', template } }),
  builtIn('apps', 'v1', 'DaemonSet', inDefault('daemonsets'), { spec: { selector, template } }),
  builtIn('apps', 'v1', 'ReplicaSet', inDefault('replicasets'), { spec: { selector, template } }),
  builtIn('apps', 'v1', 'ControllerRevision', inDefault('controllerrevisions'), { revision: 1, data: { x: { y: 1 } } }),
  builtIn(
    'batch',
    'v1',
    'Job',
    inDefault('jobs'),
    { spec: { template: { spec: podSpec } } },
    {
      setLater: ['spec.selector', 'spec.template.metadata.labels', 'metadata.labels'],
    },
  ),
  builtIn('batch', 'v1', 'CronJob', inDefault('cronjobs'), {
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: podSpec } } } },
  }),
  builtIn('autoscaling', 'v2', 'HorizontalPodAutoscaler', inDefault('horizontalpodautoscalers'), {
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
    },
  }),
  builtIn('policy', 'v1', 'PodDisruptionBudget', inDefault('poddisruptionbudgets'), {
    spec: { minAvailable: 1, selector },
  }),
  builtIn('networking.k8s.io', 'v1', 'Ingress', inDefault('ingresses'), {
    spec: {
      rules: [
        {
          host: 'a.b',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 1 } } } }],
          },
        },
      ],
    },
  }),
  builtIn('networking.k8s.io', 'v1', 'IngressClass', 'ingressclasses', { spec: { controller: 'a.b/c' } }),
  builtIn('networking.k8s.io', 'v1', 'NetworkPolicy', inDefault('networkpolicies'), {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 1 }] }] },
  }),
  builtIn('rbac.authorization.k8s.io', 'v1', 'Role', inDefault('roles'), {
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  }),
  builtIn('rbac.authorization.k8s.io', 'v1', 'ClusterRoleBinding', 'clusterrolebindings', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' }],
  }),
  builtIn('coordination.k8s.io', 'v1', 'Lease', inDefault('leases'), {
    spec: { holderIdentity: 'h', leaseDurationSeconds: 5 },
  }),
  builtIn('discovery.k8s.io', 'v1', 'EndpointSlice', inDefault('endpointslices'), {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.1.2'] }],
    ports: [{ port: 1 }],
  }),
  builtIn('scheduling.k8s.io', 'v1', 'PriorityClass', 'priorityclasses', { value: 5 }),
  builtIn('storage.k8s.io', 'v1', 'StorageClass', 'storageclasses', { provisioner: 'a.b/c' }),
  builtIn('admissionregistration.k8s.io', 'v1', 'ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', {
    webhooks: [
      {
        name: 'a.b.c',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        failurePolicy: 'Ignore',
        clientConfig: { url: 'https://localhost:1/x' },
        rules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], resources: ['zs'], operations: ['CREATE'] }],
      },
    ],
  }),
  builtIn(
    'apiextensions.k8s.io',
    'v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    {
      metadata: { name: 'things.built.example.com' },
      spec: {
        group: 'built.example.com',
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
          },
        ],
      },
    },
    { definition: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition' },
  ),
];
