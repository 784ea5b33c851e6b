import {
  type AdmittedObject,
  container,
  deployment,
  pod,
  podWith,
  selector,
  template,
} from './admitted-objects.fixture.ts';

const labelSelector = { matchLabels: { a: 'b' } };
const term = { topologyKey: 'zone', labelSelector, matchLabelKeys: ['app', 'x'], mismatchLabelKeys: ['tier'] };
const podAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: [term],
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
};
const unselected = {
  requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }],
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'zone' } }],
};
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const oldLabel = (values?: readonly string[]): object => ({
  matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: values === undefined ? 'Exists' : 'In', values }],
});
const fieldRef = { fieldPath: 'metadata.name' };

/** A spec with one cause of each warning. */
const questionable = {
  containers: [{ ...container, ports: [{ containerPort: 80, hostIP: '1.2.3.4' }] }],
  terminationGracePeriodSeconds: -1,
  nodeSelector: { 'beta.kubernetes.io/arch': 'a' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [oldLabel()] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: oldLabel(['x y']) }],
    },
    podAffinity: unselected,
    podAntiAffinity: unselected,
  },
  topologySpreadConstraints: [{ ...spread, topologyKey: 'failure-domain.beta.kubernetes.io/zone' }],
  dnsConfig: { nameservers: ['::0001', '0:0::1', 'fe80::1'] },
  hostAliases: [{ ip: '1.2.3.4' }, { ip: '1.2.3.4' }, { ip: '1::00' }],
  imagePullSecrets: [{}, { name: 'a' }, { name: 'a' }],
};
const questionableVolumes = [
  { name: 'a', rbd: { monitors: ['a'], image: 'b' } },
  { name: 'b', storageos: { volumeName: 'a' } },
  {
    name: 'c',
    projected: {
      sources: [
        { configMap: { name: 'a', items: ['x', 'x/y'].map((path) => ({ key: 'a', path })) } },
        { downwardAPI: { items: [{ path: 'x/z', fieldRef }] } },
        { secret: { name: 'a', items: [{ key: 'a', path: 'x/y/z/' }] } },
        { clusterTrustBundle: { name: 'a', path: 'b' } },
      ],
    },
  },
  { name: 'e', projected: { sources: [{ podCertificate: { signerName: 'a', keyType: 'b' } }] } },
  { name: 'd', downwardAPI: { items: ['a', 'a'].map((path) => ({ path, fieldRef })) } },
];

/** Pods, and templates of them, that the server accepts. */
export const validPods: readonly AdmittedObject[] = [
  pod(
    'that is selected by its own labels',
    {
      containers: [container],
      affinity: { podAffinity, podAntiAffinity: podAffinity },
      topologySpreadConstraints: [{ ...spread, labelSelector, matchLabelKeys: ['app'] }],
    },
    { labels: { app: 'web', tier: 'front' } },
  ),
  pod('with questionable fields', questionable),
  deployment('with questionable fields', {
    selector,
    template: { ...template, spec: { ...questionable, overhead: { memory: '1500m' } } },
  }),
  pod('with questionable volumes', { containers: [container], volumes: questionableVolumes }),
  pod('with an empty projection', { containers: [container], volumes: [{ name: 'a', projected: { sources: [] } }] }),
  podWith('with a signal to stop', { lifecycle: { stopSignal: 'SIGTERM' } }),
];
