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
];
