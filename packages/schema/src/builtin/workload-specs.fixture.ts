const container = { name: 'web', image: 'nginx:1.29' };

/** A template with values for nearly every common field. */
const template = {
  metadata: {
    name: 'web',
    labels: { app: 'web' },
    annotations: { 'example.com/a': 'b' },
    finalizers: ['example.com/f'],
  },
  spec: {
    serviceAccountName: 'web',
    terminationGracePeriodSeconds: 30,
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    imagePullSecrets: [{ name: 'registry' }],
    securityContext: { runAsNonRoot: true, fsGroup: 2000, sysctls: [{ name: 'net.core.somaxconn', value: '1024' }] },
    tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 60 }],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
      },
    ],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] }],
        },
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } } },
        ],
      },
    },
    initContainers: [{ name: 'migrate', image: 'migrate:1', restartPolicy: 'Always' }],
    containers: [
      {
        ...container,
        command: ['nginx', '-g', 'daemon off;'],
        env: [
          { name: 'A', value: 'a' },
          { name: 'B', valueFrom: { secretKeyRef: { name: 'secret', key: 'b', optional: true } } },
          { name: 'C', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
        ],
        envFrom: [{ prefix: 'X_', configMapRef: { name: 'config' } }],
        ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP', name: 'dns' }],
        resources: { requests: { cpu: 2, memory: '128Mi' }, limits: { cpu: '1', 'nvidia.com/gpu': 1 } },
        livenessProbe: { httpGet: { path: '/healthz', port: 80 }, periodSeconds: 5 },
        readinessProbe: { tcpSocket: { port: 'http' } },
        lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } },
        securityContext: { capabilities: { drop: ['ALL'] }, seccompProfile: { type: 'RuntimeDefault' } },
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
    ],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } },
      { name: 'disk', azureDisk: { diskName: 'd', diskURI: 'u' } },
      { name: 'all', projected: { sources: [{ secret: { name: 's', items: [{ key: 'k', path: 'p' }] } }] } },
      { name: 'scsi', iscsi: { targetPortal: 'p', iqn: 'i', lun: 0 } },
    ],
  },
};

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [container] } };

function withContainer(changes: object): object {
  return { template: { spec: { containers: [{ ...container, ...changes }] } } };
}

/** Specs of a resource with fields of built-in types, by description. */
export const workloadSpecs: Readonly<Record<string, unknown>> = {
  'a whole template': { template },
  'an empty template': { template: {} },
  'fields that a pod does not have': {
    template: {
      metadata: { uid: 'x', labels: { a: 'b' } },
      spec: { containers: [{ ...container, imagee: 'x' }], x: 1 },
    },
  },
  nulls: { template: { metadata: null, spec: { containers: [{ ...container, ports: null }], nodeSelector: null } } },
  'values of enumerations that a later Kubernetes may have': withContainer({ imagePullPolicy: 'Sometimes' }),
  'the empty string, which charts write for a missing value': withContainer({ imagePullPolicy: '' }),
  'a secret without a name': { template: { spec: { containers: [container], imagePullSecrets: [{}] } } },
  'a reference': { reference: { kind: 'Secret', name: 's', apiVersion: 'v1', fieldPath: 'spec', more: 1 } },
  'a selector': { selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
  claims: {
    claims: [
      { metadata: { name: 'data', labels: { a: 'b' } }, spec: { resources: { requests: { storage: '1Gi' } } } },
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec: { accessModes: ['ReadWriteOnce'] } },
    ],
  },
  'an embedded pod': { pod: { ...pod, metadata: { name: 'p', labels: { a: 'b' }, nothing: 1 } } },
  'a schema within a schema': {
    validation: { type: 'object', properties: { a: { type: 'string', maxLength: 5 } }, not: { anyOf: [{ x: 1 }] } },
  },
  'rejected: no containers': { template: { spec: {} } },
  'rejected: a container without a name': { template: { spec: { containers: [{ image: 'x' }] } } },
  'rejected: two containers of one name': { template: { spec: { containers: [container, container] } } },
  'rejected: two ports that are equal by their default': withContainer({
    ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }],
  }),
  // A pod accepts it.
  'rejected: a variable twice': withContainer({ env: [{ name: 'A' }, { name: 'A', value: 'a' }] }),
  'rejected: a port beyond int32': withContainer({ ports: [{ containerPort: 3000000000 }] }),
  'rejected: a port as a string': withContainer({ ports: [{ containerPort: '80' }] }),
  'rejected: a probe at a fraction of a port': withContainer({ livenessProbe: { httpGet: { port: 80.5 } } }),
  'rejected: a probe at a list': withContainer({ livenessProbe: { httpGet: { port: [80] } } }),
  'rejected: an invalid quantity': withContainer({ resources: { limits: { cpu: 'a lot' } } }),
  // A pod accepts it; a structural schema cannot, and controller-gen's does not.
  'rejected: a fraction that is not a string': withContainer({ resources: { limits: { cpu: 0.5 } } }),
  'rejected: labels that are not strings': { template: { metadata: { labels: { a: 1 } } } },
  'rejected: a selector without an operator': { selector: { matchExpressions: [{ key: 'a' }] } },
  'rejected: an embedded pod without a kind': { pod: { ...pod, kind: undefined } },
  'rejected: an embedded pod with an invalid label': {
    pod: { ...pod, metadata: { name: 'a', labels: { 'a b': 'c' } } },
  },
  'rejected: a template that is a list': { template: [] },
};
