import type { Pod, PodDisruptionBudget, Service } from 'evenkeel';
import { quorumBudget } from 'evenkeel/lifecycle';
import type { EtcdCluster } from './etcd-cluster.ts';

const ports = { client: 2379, peer: 2380 } as const;
const dataFolder = '/var/etcd';

/** How the first pod of a cluster starts: empty, or from the snapshot of a restore. */
export type MemberStart = { readonly peers: Readonly<Record<string, string>>; readonly state: 'new' | 'existing' };

/** The host of a member, which the headless Service makes known before the member is ready. */
export function hostOf({ metadata }: EtcdCluster, member: string): string {
  return `${member}.${metadata.name}-peers.${metadata.namespace}.svc`;
}

export function clientUrl(cluster: EtcdCluster, member: string): string {
  return `http://${hostOf(cluster, member)}:${ports.client}`;
}

export function peerUrl(cluster: EtcdCluster, member: string): string {
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
  const { labels, nodeSelector, tolerations, resources, antiAffinity } = spec.pod ?? {};
  const selector = { matchLabels: labelsOf(cluster) };
  const health = (path: string) => ({ httpGet: { path, port: 'client' }, periodSeconds: 5, timeoutSeconds: 5 });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: member, labels: { ...labels, ...labelsOf(cluster) } },
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
            `--initial-advertise-peer-urls=${peerUrl(cluster, member)}`,
            `--initial-cluster=${Object.entries(start.peers)
              .map((peer) => peer.join('='))
              .join(',')}`,
            `--initial-cluster-state=${start.state}`,
            `--initial-cluster-token=${metadata.uid}`,
          ],
          env: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
          ports: Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort })),
          // Only a member that sees a leader serves clients. A restart would not give it one.
          readinessProbe: health('/health'),
          livenessProbe: { ...health('/health?serializable=true'), initialDelaySeconds: 15, failureThreshold: 6 },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          volumeMounts: [{ name: 'data', mountPath: dataFolder }],
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
