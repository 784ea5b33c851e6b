import type { Pod, PodDisruptionBudget, Service } from 'evenkeel';
import { quorumBudget } from 'evenkeel/lifecycle';
import { type EtcdCluster, restoreOf } from './etcd-cluster.ts';

const ports = { client: 2379, peer: 2380 } as const;
const dataFolder = '/var/etcd';
const snapshotFile = `${dataFolder}/snapshot.db`;
/** Downloads a snapshot. The image of etcd has no program for that. */
const downloadImage = 'curlimages/curl:8.11.1';

type Named = Pick<EtcdCluster, 'metadata'>;

/** How a member starts. */
export interface MemberStart {
  /** The peer URLs of all members, by name. */
  readonly peers: Readonly<Record<string, string>>;
  readonly state: 'new' | 'existing';
  /** The snapshot whose data the first member of a cluster starts with. */
  readonly snapshot?: { readonly restore: string; readonly url: string; readonly token: { name: string; key: string } };
}

/** The host of a member, which the headless Service makes known before the member is ready. */
function hostOf({ metadata }: Named, member: string): string {
  return `${member}.${metadata.name}-peers.${metadata.namespace}.svc`;
}

export function clientUrl(cluster: Named, member: string): string {
  return `http://${hostOf(cluster, member)}:${ports.client}`;
}

export function peerUrl(cluster: Named, member: string): string {
  return `http://${hostOf(cluster, member)}:${ports.peer}`;
}

/** Returns the name of the member at a peer URL, also of one that has not started yet. */
export function memberAt(peerUrls: readonly string[]): string {
  return new URL(peerUrls[0] ?? 'http://unknown').hostname.split('.')[0] ?? '';
}

/** Returns the version in the tag of a pod's image. */
export function versionOf({ spec }: Pod): string {
  return spec?.containers[0]?.image?.replace(/^.*:v/, '') ?? '';
}

export function imageOf({ spec }: EtcdCluster, version: string): string {
  return `${spec.repository}:v${version}`;
}

export function podFor(cluster: EtcdCluster, member: string, version: string, start: MemberStart): Pod {
  const { metadata, spec } = cluster;
  const { snapshot } = start;
  // Pods of before a restore may still run. Members of another token do not talk to them.
  const token = [metadata.uid, restoreOf(cluster)].join('.');
  const identity = [
    `--initial-advertise-peer-urls=${peerUrl(cluster, member)}`,
    `--initial-cluster=${Object.entries(start.peers)
      .map((peer) => peer.join('='))
      .join(',')}`,
    `--initial-cluster-token=${token}`,
  ];
  const volumeMounts = [{ name: 'data', mountPath: dataFolder }];
  const confined = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
  const { labels, nodeSelector, tolerations, resources, antiAffinity } = spec.pod ?? {};
  const selector = { matchLabels: labelsOf(cluster) };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: member,
      labels: { ...labels, ...labelsOf(cluster) },
      ...(snapshot && { annotations: { [restoreOf.annotation]: snapshot.restore } }),
    },
    spec: {
      hostname: member,
      subdomain: `${metadata.name}-peers`,
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...(nodeSelector && { nodeSelector }),
      ...(tolerations && { tolerations }),
      ...(antiAffinity && {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { labelSelector: selector, topologyKey: 'kubernetes.io/hostname' },
            ],
          },
        },
      }),
      ...(snapshot && {
        initContainers: [
          {
            name: 'download',
            image: downloadImage,
            command: ['curl'],
            args: [
              '--fail',
              '--silent',
              '--show-error',
              '--header=Authorization: Bearer $(TOKEN)',
              `--output=${snapshotFile}`,
              snapshot.url,
            ],
            env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: snapshot.token } }],
            ...{ securityContext: confined, volumeMounts },
          },
          {
            name: 'restore',
            image: imageOf(cluster, version),
            command: ['etcdutl'],
            args: [
              'snapshot',
              'restore',
              snapshotFile,
              `--name=${member}`,
              `--data-dir=${dataFolder}/data`,
              ...identity,
            ],
            ...{ securityContext: confined, volumeMounts },
          },
        ],
      }),
      containers: [
        {
          name: 'etcd',
          image: imageOf(cluster, version),
          command: ['etcd'],
          args: [
            `--name=${member}`,
            `--data-dir=${dataFolder}/data`,
            `--listen-peer-urls=http://$(POD_IP):${ports.peer}`,
            `--listen-client-urls=http://$(POD_IP):${ports.client}`,
            `--advertise-client-urls=${clientUrl(cluster, member)}`,
            `--initial-cluster-state=${start.state}`,
            ...identity,
          ],
          env: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
          ports: Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort })),
          // A member that waits for a quorum at its start responds to nothing. A liveness probe would stop it, with longer and longer
          // pauses, so that a majority might never run at the same time. The operator replaces members that do not work.
          readinessProbe: { httpGet: { path: '/health', port: 'client' }, periodSeconds: 5, timeoutSeconds: 5 },
          securityContext: confined,
          volumeMounts,
          ...(resources && { resources }),
        },
      ],
      volumes: [{ name: 'data', emptyDir: {} }],
    },
  };
}

/** The Service for clients, which has only ready members. */
export function clientServiceFor(cluster: EtcdCluster) {
  return serviceFor(cluster, 'client', { ports: [{ name: 'client', port: ports.client, targetPort: 'client' }] });
}

/** Gives each member a host name. */
export function peerServiceFor(cluster: EtcdCluster) {
  return serviceFor(cluster, 'peers', {
    clusterIP: 'None',
    publishNotReadyAddresses: true,
    ports: Object.entries(ports).map(([name, port]) => ({ name, port, targetPort: name })),
  });
}

export function budgetFor(cluster: EtcdCluster, voters: number): PodDisruptionBudget {
  return quorumBudget({ name: cluster.metadata.name, labels: labelsOf(cluster) }, labelsOf(cluster), voters);
}

function serviceFor(cluster: EtcdCluster, suffix: string, spec: object): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `${cluster.metadata.name}-${suffix}`, labels: labelsOf(cluster) },
    spec: { ...spec, selector: labelsOf(cluster) },
  };
}

function labelsOf({ metadata }: EtcdCluster): Record<string, string> {
  return { 'app.kubernetes.io/name': 'etcd', 'app.kubernetes.io/instance': metadata.name };
}
