const container = { name: 'web', image: 'nginx:1.29' };

/** A template with something of nearly every part that people write. */
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

/** Specs of a resource with fields of built-in types, by what they are about. */
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
  'the empty string, which charts write for nothing': withContainer({ imagePullPolicy: '' }),
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
  'refused: no containers': { template: { spec: {} } },
  'refused: a container without a name': { template: { spec: { containers: [{ image: 'x' }] } } },
  'refused: two containers of one name': { template: { spec: { containers: [container, container] } } },
  'refused: two ports alike by their default': withContainer({
    ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }],
  }),
  // A pod tolerates it.
  'refused: a variable twice': withContainer({ env: [{ name: 'A' }, { name: 'A', value: 'a' }] }),
  'refused: a port beyond int32': withContainer({ ports: [{ containerPort: 3000000000 }] }),
  'refused: a port as text': withContainer({ ports: [{ containerPort: '80' }] }),
  'refused: a probe at a fraction of a port': withContainer({ livenessProbe: { httpGet: { port: 80.5 } } }),
  'refused: a probe at a list': withContainer({ livenessProbe: { httpGet: { port: [80] } } }),
  'refused: an amount that is none': withContainer({ resources: { limits: { cpu: 'a lot' } } }),
  // A pod accepts it; no structural schema can, as controller-gen's does not.
  'refused: a fraction that is no text': withContainer({ resources: { limits: { cpu: 0.5 } } }),
  'refused: labels that are no text': { template: { metadata: { labels: { a: 1 } } } },
  'refused: a selector without an operator': { selector: { matchExpressions: [{ key: 'a' }] } },
  'refused: an embedded pod without a kind': { pod: { ...pod, kind: undefined } },
  'refused: an embedded pod with a label that is none': {
    pod: { ...pod, metadata: { name: 'a', labels: { 'a b': 'c' } } },
  },
  'refused: a template that is a list': { template: [] },
};
