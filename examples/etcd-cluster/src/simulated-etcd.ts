import { createHash } from 'node:crypto';
import { type Client, Pod } from 'evenkeel';
import { Etcd, type ListedMember, type MemberReport } from './etcd.ts';
import { memberAt, versionOf } from './member-pod.ts';

interface SimulatedMember {
  readonly id: string;
  name: string;
  readonly peerUrl: string;
  isLearner: boolean;
  /** The pod that has its data. */
  uid: string;
}

interface SimulatedCluster {
  readonly members: Map<string, SimulatedMember>;
  /** The pods that run, by the name of the member. */
  running: Map<string, Pod>;
  leaderId: string;
  lastId: number;
  /** Pods with another token are another cluster. */
  token: string;
}

/**
 * Etcd without a process: members work while their pods run on the API server, which may be an embedded one. Like etcd, it rejects
 * changes without a quorum, and a member that has lost its data does not work again.
 */
export class SimulatedEtcd extends Etcd {
  readonly #client: Client;
  /** By namespace and name. */
  readonly #clusters = new Map<string, SimulatedCluster>();

  constructor(client: Client) {
    super();
    this.#client = client;
  }

  async members(urls: readonly string[]): Promise<ListedMember[]> {
    const { members } = await this.#quorum(urls);
    return [...members.values()].map(({ id, name, peerUrl, isLearner }) => ({
      ...{ id, name, isLearner, peerUrls: [peerUrl] },
    }));
  }

  async report(url: string): Promise<MemberReport> {
    const cluster = await this.#cluster([url]);
    const member = membersOf(cluster).find(({ name }) => name === memberAt([url]));
    const pod = member && runningPodOf(cluster, member);
    if (member === undefined || pod === undefined) throw new Error(`${url}: connection refused`);
    const versions = membersOf(cluster)
      .flatMap((one) => runningPodOf(cluster, one) ?? [])
      .map(versionOf);
    const [major, minor] =
      versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))[0]?.split('.') ?? [];
    return {
      ...{
        clusterId: '14841639068965178418',
        memberId: member.id,
        isLearner: member.isLearner,
        leaderId: cluster.leaderId,
        revision: '1',
      },
      ...{ version: versionOf(pod), clusterVersion: `${major}.${minor}.0` },
    };
  }

  async addLearner(urls: readonly string[], peerUrl: string): Promise<void> {
    const cluster = await this.#quorum(urls);
    if (membersOf(cluster).some(({ isLearner }) => isLearner))
      throw new Error('etcdserver: too many learner members in cluster');
    const id = `${++cluster.lastId}`;
    cluster.members.set(id, { id, name: '', peerUrl, isLearner: true, uid: '' });
  }

  async promote(urls: readonly string[], id: string): Promise<boolean> {
    const cluster = await this.#quorum(urls);
    const member = cluster.members.get(id);
    if (member === undefined || runningPodOf(cluster, member) === undefined) return false;
    member.isLearner = false;
    return true;
  }

  async remove(urls: readonly string[], id: string): Promise<void> {
    const cluster = await this.#quorum(urls);
    cluster.members.delete(id);
    elect(cluster);
  }

  async moveLeader(leaderUrl: string, to: string): Promise<void> {
    const cluster = await this.#quorum([leaderUrl]);
    cluster.leaderId = to;
  }

  async *snapshot(url: string): AsyncIterable<Uint8Array> {
    await this.#cluster([url]);
    const content = Buffer.from(`snapshot of ${new URL(url).host}`);
    yield content;
    yield createHash('sha256').update(content).digest();
  }

  async #quorum(urls: readonly string[]): Promise<SimulatedCluster> {
    const cluster = await this.#cluster(urls);
    if (cluster.leaderId === '0') throw new Error('etcdserver: request timed out, no leader');
    return cluster;
  }

  /** The cluster after all that its pods have done since the last request. */
  async #cluster(urls: readonly string[]): Promise<SimulatedCluster> {
    const [, service = '', namespace = ''] = new URL(urls[0] ?? 'http://unknown').hostname.split('.');
    const { items } = await this.#client.list(Pod, { namespace });
    const running = new Map(
      items
        .filter(({ spec, status }) => spec?.subdomain === service && status?.phase === 'Running')
        .map((pod) => [pod.metadata.name, pod]),
    );
    const key = `${namespace}/${service}`;
    const cluster = this.#clusters.get(key) ?? { members: new Map(), running, leaderId: '0', lastId: 0, token: '' };
    this.#clusters.set(key, cluster);
    cluster.running = running;
    for (const pod of running.values()) start(cluster, pod);
    elect(cluster);
    return cluster;
  }
}

/** Starts the member of a pod: the first one of a cluster, or one that was added. */
function start(cluster: SimulatedCluster, { metadata, spec }: Pod): void {
  const { name, uid = '' } = metadata;
  const argument = (flag: string): string =>
    spec?.containers[0]?.args?.find((one) => one.startsWith(`--${flag}=`))?.slice(flag.length + 3) ?? '';
  const peerUrl = argument('initial-advertise-peer-urls');
  const token = argument('initial-cluster-token');
  if (cluster.token !== token && argument('initial-cluster-state') === 'new') {
    cluster.members.clear();
    cluster.token = token;
    const id = `${++cluster.lastId}`;
    cluster.members.set(id, { id, name, peerUrl, isLearner: false, uid });
  }
  const member = membersOf(cluster).find((one) => one.peerUrl === peerUrl);
  if (member?.uid === '') Object.assign(member, { name, uid });
}

function elect(cluster: SimulatedCluster): void {
  const voters = membersOf(cluster).filter(({ isLearner }) => !isLearner);
  const running = voters.filter((voter) => runningPodOf(cluster, voter) !== undefined);
  if (running.length <= voters.length / 2) cluster.leaderId = '0';
  else if (!running.some(({ id }) => id === cluster.leaderId)) cluster.leaderId = running[0]?.id ?? '0';
}

/** Undefined if it does not run, or has lost its data with an earlier pod. */
function runningPodOf({ running }: SimulatedCluster, { name, uid }: SimulatedMember): Pod | undefined {
  const pod = running.get(name);
  return pod?.metadata.uid === uid ? pod : undefined;
}

function membersOf({ members }: SimulatedCluster): SimulatedMember[] {
  return [...members.values()];
}
