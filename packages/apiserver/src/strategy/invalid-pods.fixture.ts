import { type AdmittedObject, container, pod, podWith } from './admitted-objects.fixture.ts';

const labels = { matchLabels: { app: 'web' } };
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: labels };
const sysctls = (...names: readonly string[]): object => ({ sysctls: names.map((name) => ({ name, value: '1' })) });
const windowsUser = (runAsUserName: string): AdmittedObject =>
  pod(`with the Windows user ${JSON.stringify(runAsUserName).slice(0, 20)}`, {
    containers: [container],
    securityContext: { windowsOptions: { runAsUserName } },
  });

const requirements = [
  {},
  { key: 'a', operator: 'In' },
  { key: 'a', operator: 'Exists', values: ['b'] },
  { key: 'a', operator: 'Lt', values: ['1', '2'] },
  { key: 'a b', operator: 'In', values: ['x y'] },
];
const fieldRequirements = [
  { key: 'a', operator: 'In', values: ['b'] },
  { key: 'metadata.name', operator: 'In', values: ['b', 'c'] },
  { key: 'metadata.name', operator: 'Exists', values: ['B_'] },
];
const nodeTerm = { matchExpressions: requirements, matchFields: fieldRequirements };
const podTerms = [
  {},
  { topologyKey: 'a b', namespaces: ['A_'], namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'x' }] } },
  { topologyKey: 'zone', labelSelector: { matchLabels: { 'a b': 'x y' } } },
  { topologyKey: 'zone', matchLabelKeys: ['x'], mismatchLabelKeys: ['y'] },
  { topologyKey: 'zone', labelSelector: labels, matchLabelKeys: ['x', 'x y'], mismatchLabelKeys: ['x'] },
];
const podAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: podTerms,
  preferredDuringSchedulingIgnoredDuringExecution: [
    {},
    ...podTerms.map((podAffinityTerm) => ({ weight: 101, podAffinityTerm })),
  ],
};

const profiles = {
  ...{ fsGroupChangePolicy: 'x', supplementalGroupsPolicy: 'x', seLinuxChangePolicy: 'x' },
  ...{
    seccompProfile: {},
    appArmorProfile: {},
    windowsOptions: { gmsaCredentialSpecName: 'A_', gmsaCredentialSpec: '' },
  },
};

const volumeOf = (source: object, index: number): object => ({ name: `v${index}`, ...source });
const amount = { requests: { storage: '1Gi' } };
const incompleteSources = [
  ...['nfs', 'iscsi', 'csi', 'ephemeral', 'image', 'fc', 'rbd', 'cephfs', 'azureFile', 'azureDisk', 'flexVolume'],
  ...['glusterfs', 'cinder', 'gcePersistentDisk', 'awsElasticBlockStore', 'portworxVolume', 'vsphereVolume'],
  ...['scaleIO', 'storageos', 'quobyte', 'flocker', 'photonPersistentDisk', 'gitRepo', 'hostPath', 'secret'],
].map((source) => ({ [source]: {} }));
const downwardFiles = [
  { path: '' },
  { path: '/x', fieldRef: { fieldPath: 'x' }, mode: 9999 },
  { path: '..x', fieldRef: { fieldPath: 'metadata.name' }, resourceFieldRef: { resource: 'limits.cpu' } },
  { path: 'x', resourceFieldRef: { resource: 'limits.cpu' } },
  { path: 'x', resourceFieldRef: { containerName: 'main', resource: 'x', divisor: '5' } },
  ...['limits.cpu', 'requests.memory', 'limits.ephemeral-storage', 'requests.hugepages-2Mi'].map((resource) => ({
    path: 'x',
    resourceFieldRef: { containerName: 'main', resource, divisor: '5' },
  })),
];
const invalidSources = [
  { nfs: { server: 'a', path: 'b' } },
  ...['x', 'iqn', 'eui.x', 'naa.x'].map((iqn) => ({
    iscsi: { targetPortal: 'a'.repeat(70), iqn, lun: 256, chapAuthSession: true, initiatorName: iqn },
  })),
  { csi: { driver: `A_${'b'.repeat(62)}`, nodePublishSecretRef: {} } },
  { csi: { driver: 'x', nodePublishSecretRef: { name: 'A_' } } },
  {
    ephemeral: {
      volumeClaimTemplate: { metadata: { name: 'x', labels: { 'a b': '' }, annotations: { 'a b': '' } }, spec: {} },
    },
  },
  { image: { reference: 'a', pullPolicy: 'x' } },
  { fc: { targetWWNs: ['a'], wwids: ['b'], lun: 256 } },
  { azureDisk: { diskName: 'a', diskURI: 'b', kind: 'x', cachingMode: 'x' } },
  { flexVolume: { driver: 'a', options: { 'kubernetes.io/a': 'b' } } },
  { cinder: { volumeID: 'a', secretRef: {} } },
  { gcePersistentDisk: { pdName: 'a', partition: 256 } },
  { storageos: { volumeName: 'A_', volumeNamespace: 'A_', secretRef: {} } },
  { quobyte: { registry: 'a', volume: 'b' } },
  { flocker: { datasetName: 'a/b', datasetUUID: 'c' } },
  { gitRepo: { repository: 'a', directory: '../b' } },
  { nfs: { server: 'a', path: '/' }, cephfs: {}, downwardAPI: {} },
  { downwardAPI: { defaultMode: -1, items: downwardFiles } },
];
const files = { name: 'a', items: [{ key: 'a', path: 'same' }] };
const projections = [
  { configMap: files, secret: { ...files, name: 'b' } },
  { configMap: { items: [{ path: '..' }] } },
  { downwardAPI: { items: [...downwardFiles, { path: 'same', fieldRef: { fieldPath: 'metadata.name' } }] } },
  { serviceAccountToken: { path: '../x', expirationSeconds: 599 } },
  { serviceAccountToken: { path: '', expirationSeconds: 2 ** 32 + 1 } },
];

/** Pods that the server rejects. */
export const invalidPods: readonly AdmittedObject[] = [
  pod('with an empty node affinity', {
    containers: [container],
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } },
  }),
  pod('with an invalid node affinity', {
    containers: [container],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodeTerm] },
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: nodeTerm }, { weight: 101 }],
      },
    },
  }),
  pod('with an invalid affinity', { containers: [container], affinity: { podAffinity } }),
  pod('with an invalid anti-affinity', { containers: [container], affinity: { podAntiAffinity: podAffinity } }),
  pod('without a DNS configuration', { containers: [container], dnsPolicy: 'None' }),
  pod('without name servers', { containers: [container], dnsPolicy: 'None', dnsConfig: {} }),
  pod('with an invalid DNS configuration', {
    containers: [container],
    dnsConfig: {
      nameservers: ['x', '1.2.3.4', '01.2.3.4', '::1'],
      searches: ['a_b', 'b.', '.', 'C', '', ...Array.from({ length: 32 }, (_, index) => `a${index}.${'y'.repeat(62)}`)],
      options: [{}, { name: 'a' }],
    },
  }),
  pod('with invalid sysctls', {
    containers: [container],
    hostNetwork: true,
    hostIPC: true,
    securityContext: sysctls(
      '',
      'a b',
      'a',
      'a',
      'net/ipv4.x/y',
      'net.x',
      'kernel.shmall',
      'fs.mqueue.*',
      'x'.repeat(254),
    ),
  }),
  pod('with invalid profiles', {
    containers: [{ ...container, securityContext: profiles }],
    securityContext: profiles,
  }),
  pod('with unknown profiles', {
    containers: [container],
    securityContext: { seccompProfile: { type: 'x' }, appArmorProfile: { type: 'x' } },
  }),
  ...[undefined, '', ' a', '/../a', 'x'.repeat(4096)].map((localhostProfile) =>
    pod(`with the profile ${localhostProfile?.slice(0, 9)}`, {
      containers: [container],
      securityContext: {
        seccompProfile: { type: 'Localhost', localhostProfile: localhostProfile ?? '..' },
        appArmorProfile: { type: 'Localhost', localhostProfile },
      },
    }),
  ),
  pod('with a profile for another type', {
    containers: [container],
    securityContext: {
      seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'a' },
      appArmorProfile: { type: 'Unconfined', localhostProfile: 'a' },
    },
  }),
  ...['', 'a\\b\\c', '\\b', 'a\\', '...', 'a?b', 'x\u0001', '*\\c', 'u'.repeat(105), `${'d'.repeat(256)}\\u`].map(
    windowsUser,
  ),
  podWith('with all privileges but no escalation', {
    securityContext: {
      allowPrivilegeEscalation: false,
      privileged: true,
      procMount: 'Unmasked',
      capabilities: { add: ['CAP_SYS_ADMIN'] },
      seLinuxOptions: { level: 's0' },
      windowsOptions: { hostProcess: false },
      seccompProfile: { type: 'RuntimeDefault' },
      appArmorProfile: { type: 'Unconfined' },
    },
  }),
  pod('with a container on the host', {
    containers: [container, { ...container, name: 'b', securityContext: { windowsOptions: { hostProcess: true } } }],
    securityContext: { windowsOptions: { hostProcess: false } },
  }),
  pod('without a name of its operating system', { containers: [container], os: {} }),
  pod('with an unknown operating system', { containers: [container], os: { name: 'x' } }),
  pod('with Linux and Windows options', {
    containers: [{ ...container, securityContext: { windowsOptions: {} } }],
    os: { name: 'linux' },
    securityContext: { windowsOptions: {} },
  }),
  pod('with Windows and Linux options', {
    containers: [{ ...container, securityContext: { privileged: false, capabilities: {} } }],
    initContainers: [{ ...container, name: 'init', securityContext: { runAsUser: 1, procMount: 'Default' } }],
    os: { name: 'windows' },
    hostPID: true,
    shareProcessNamespace: false,
    hostUsers: true,
    securityContext: { runAsUser: 1, fsGroup: 1, supplementalGroups: [1], ...sysctls('a') },
  }),
  pod('with users and namespaces of the host', {
    containers: [container],
    ...{ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true },
  }),
  pod('with a process namespace that is shared twice', {
    containers: [container],
    hostPID: true,
    shareProcessNamespace: true,
  }),
  pod('with another hostname', {
    containers: [container],
    ...{ hostnameOverride: 'A'.repeat(65), setHostnameAsFQDN: true, hostNetwork: true },
  }),
  pod('with invalid aliases', { containers: [container], hostAliases: [{}, { ip: '1.2.3.4', hostnames: ['A', 'b'] }] }),
  pod('with a negative overhead', { containers: [container], overhead: { cpu: '-1' } }),
  pod('with an invalid spread', {
    containers: [container],
    topologySpreadConstraints: [
      {},
      { ...spread, whenUnsatisfiable: 'ScheduleAnyway', minDomains: 0 },
      { ...spread, nodeAffinityPolicy: 'x', nodeTaintsPolicy: 'x' },
      {
        ...spread,
        matchLabelKeys: ['l', 'x y'],
        labelSelector: { ...labels, matchExpressions: ['l', 'l'].map((key) => ({ key, operator: 'Exists' })) },
      },
    ],
  }),
  pod('with incomplete volumes', { containers: [container], volumes: incompleteSources.map(volumeOf) }),
  pod('with invalid volumes', { containers: [container], volumes: invalidSources.map(volumeOf) }),
  pod('with invalid projections', {
    containers: [container],
    volumes: [{ name: 'a', projected: { sources: projections } }],
  }),
  pod('with a claim of another volume', {
    containers: [container],
    volumes: [
      {
        name: 'a',
        ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: amount } } },
      },
      { name: 'b', persistentVolumeClaim: { claimName: 'x-a' } },
    ],
  }),
  podWith('with invalid policies', {
    resizePolicy: [
      {},
      { resourceName: 'cpu', restartPolicy: 'x' },
      { resourceName: 'cpu', restartPolicy: 'NotRequired' },
    ],
    restartPolicyRules: [
      {},
      { action: 'x', exitCodes: { operator: 'x', values: Array.from({ length: 256 }, (_, index) => index) } },
      ...Array.from({ length: 19 }, () => ({ action: 'Restart', exitCodes: { operator: 'In', values: [1] } })),
    ],
    volumeMounts: ['x', 'Enabled'].map((recursiveReadOnly, index) => ({
      ...{ name: 'a', mountPath: `/${index}`, recursiveReadOnly, mountPropagation: 'HostToContainer' },
    })),
  }),
  pod('with policies that need a restart', {
    restartPolicy: 'Never',
    containers: [{ ...container, resizePolicy: [{ resourceName: 'x', restartPolicy: 'RestartContainer' }] }],
    initContainers: [
      { ...container, name: 'a', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
    ],
  }),
  pod('with invalid resource claims', {
    containers: [
      {
        ...container,
        resources: {
          claims: [
            { name: '' },
            ...['A', 'A', 'b', 'c'].map((name) => ({ name })),
            { name: 'd', request: 'E' },
            { name: 'd' },
          ],
        },
      },
    ],
    resourceClaims: [
      { name: '' },
      { name: 'A' },
      { name: 'b', resourceClaimName: 'X', resourceClaimTemplateName: 'Y' },
      { name: 'b', resourceClaimName: 'x' },
      { name: 'd', resourceClaimName: 'x' },
    ],
  }),
  pod('with comparing tolerations', {
    containers: [container],
    tolerations: ['Lt', 'x'].map((operator) => ({ key: 'a', operator, value: '1' })),
  }),
];
