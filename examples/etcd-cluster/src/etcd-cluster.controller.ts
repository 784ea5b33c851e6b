import {
  Clock,
  Controller,
  Index,
  ignoreNotFound,
  Lister,
  ListerOf,
  ObjectKey,
  Owns,
  Pod,
  PodDisruptionBudget,
  Rbac,
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  requeueAfter,
  Service,
} from 'evenkeel';
import { checkUpgrade } from 'evenkeel/lifecycle';
import { Etcd } from './etcd.ts';
import { EtcdCluster, restoreName, restoreOf } from './etcd-cluster.ts';
import {
  budgetFor,
  clientServiceFor,
  clientUrl,
  imageOf,
  type MemberStart,
  memberAt,
  peerServiceFor,
  peerUrl,
  podFor,
  versionOf,
} from './member-pod.ts';
import { indexOf, type Member, type MemberPod, nextStep, type Step } from './next-step.ts';
import { SnapshotAddress, tokenOf } from './snapshot-server.ts';

/** How long a member may be unready before it is replaced, for example because its node does not respond. */
const lostAfterMs = 300_000;
/** The pauses before etcd, which sends no events, is asked again: after a step, while a member starts, and otherwise. */
const pauses = { step: '200ms', wait: '2s', quiet: '15s' } as const;

/** What etcd reports about a cluster that has a quorum. */
interface Observation {
  readonly members: readonly Member[];
  /** The client URLs of members that respond and vote. */
  readonly urls: readonly string[];
  readonly clusterId: string;
  readonly clusterVersion: string;
}

@Controller(EtcdCluster)
@Owns(Pod)
@Owns(Service)
@Owns(PodDisruptionBudget)
@Rbac(Pod, ['get'], { reason: 'confirms that the pod of a member is gone before the member is removed' })
@Rbac(Pod, ['delete'], { reason: 'deletes the pods of removed members' })
export class EtcdClusterController {
  constructor(
    @ListerOf(Pod) private readonly pods: Lister<Pod>,
    private readonly etcd: Etcd,
    private readonly address: SnapshotAddress,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes one step. It decides by what etcd and the API server report now. It only remembers that the cluster exists, so that it never
   * starts an empty one in its place.
   */
  @Reconcile({ maxConcurrent: 4 })
  async reconcile(cluster: EtcdCluster, context: ReconcileContext): Promise<ReconcileResult> {
    if (cluster.spec.paused) return requeueAfter(pauses.quiet);
    const found = this.pods.byIndex('owner', cluster.metadata.uid ?? '');
    const pods = found.map((pod) => this.podOf(pod));
    await context.apply(peerServiceFor(cluster));
    const restore = restoreOf(cluster);
    const isRestoring = restore !== undefined && restore !== cluster.status.restored;
    const replaced = isRestoring ? pods.filter((pod) => pod.restore !== restore) : [];
    if (replaced.length > 0) return await this.removeAll(cluster, replaced, context);
    const seen = await this.observe(cluster, pods);
    if (seen === undefined) return await this.withoutQuorum(cluster, pods, context);

    const { members, clusterId, clusterVersion } = seen;
    cluster.status.clusterId = clusterId;
    if (isRestoring) {
      // Stored before members are added, which have the data although their pods did not start with it.
      cluster.status.restored = restore;
      return requeueAfter(pauses.step);
    }
    cluster.status.serviceName = (await context.apply(clientServiceFor(cluster))).metadata.name;
    const { version, refusal } = targetVersion(cluster, clusterVersion, context);
    reportMembers(cluster, members, version, context);
    await context.apply(budgetFor(cluster, cluster.status.size ?? 1));
    const step = nextStep({ size: cluster.spec.size, version, members, pods });
    reportStep(step, context);
    const isUpgrading = cluster.status.version !== undefined && cluster.status.version !== version;
    if (refusal === undefined)
      context.conditions.set('Upgrading', isUpgrading, isUpgrading ? 'InProgress' : 'AsExpected');
    return await this.take(step, cluster, seen, pods, version, context);
  }

  /** Returns the uid of a pod's EtcdCluster. */
  @Index('owner', Pod)
  ownerOf({ metadata }: Pod): string | undefined {
    return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
  }

  /** Asks each member that has a pod. Resolves to undefined if there is no quorum. */
  private async observe(cluster: EtcdCluster, pods: readonly MemberPod[]): Promise<Observation | undefined> {
    const ask = async ({ name }: MemberPod) =>
      [name, await this.etcd.report(clientUrl(cluster, name)).catch(() => undefined)] as const;
    const reports = new Map(await Promise.all(pods.map(ask)));
    const voters = [...reports].flatMap(([name, report]) =>
      report === undefined || report.isLearner || report.leaderId === '0' ? [] : [{ name, report }],
    );
    const urls = voters.map(({ name }) => clientUrl(cluster, name));
    const [first] = voters;
    const listed = await this.etcd.members(urls).catch(() => undefined);
    if (first === undefined || listed === undefined) return undefined;
    const members = listed.map(({ id, peerUrls, isLearner }): Member => {
      const name = memberAt(peerUrls);
      const pod = pods.find((one) => one.name === name);
      const report = reports.get(name);
      const isHealthy = report?.memberId === id && report.leaderId !== '0' && report.version === pod?.version;
      return { id, name, isLearner, isLeader: first.report.leaderId === id, isHealthy, pod };
    });
    return { members, urls, clusterId: first.report.clusterId, clusterVersion: first.report.clusterVersion };
  }

  /** Deletes all pods before a restore. The cluster that follows is another one. */
  private async removeAll(
    cluster: EtcdCluster,
    pods: readonly MemberPod[],
    context: ReconcileContext,
  ): Promise<ReconcileResult> {
    for (const pod of pods) if (!pod.isTerminating) await this.deletePod(pod, context);
    cluster.status = {
      ...cluster.status,
      size: 0,
      members: { ready: [], unready: pods.map(({ name }) => name).sort() },
    };
    delete cluster.status.clusterId;
    context.conditions.set('Available', false, 'Restoring', 'The members with the previous data are deleted');
    return requeueAfter(pauses.wait);
  }

  /** Returns the snapshot with which the first member starts; undefined if it starts empty. */
  private snapshotFor(cluster: EtcdCluster): MemberStart['snapshot'] {
    const restore = restoreOf(cluster);
    if (restore === undefined) return undefined;
    const name = restoreName(restore);
    const url = this.address.of(new ObjectKey(name, cluster.metadata.namespace));
    return { restore, url, token: tokenOf(name) };
  }

  /** Starts the first member of a new cluster. Without a quorum, nothing else is changed, except pods that do not run. */
  private async withoutQuorum(
    cluster: EtcdCluster,
    pods: readonly MemberPod[],
    context: ReconcileContext,
  ): Promise<ReconcileResult> {
    const { clusterId, version: current = cluster.spec.version } = cluster.status;
    const { version } = targetVersion(cluster, current, context);
    const stuck = pods.find((pod) => !pod.isRunning && !pod.isTerminating && pod.version !== version);
    cluster.status.members = { ready: [], unready: pods.map(({ name }) => name).sort() };
    if (stuck !== undefined) await this.setVersion(cluster, stuck, version, context);
    if (clusterId === undefined) {
      context.conditions.set('Available', false, 'Starting', 'The first member starts');
      const [first] = pods;
      const name = `${cluster.metadata.name}-0`;
      const peers = { [name]: peerUrl(cluster, name) };
      const snapshot = this.snapshotFor(cluster);
      const start = { peers, state: 'new', ...(snapshot && { snapshot }) } as const;
      if (first === undefined) await context.apply(podFor(cluster, name, version, start));
      // No client has known it, because the Service for clients follows the cluster's ID.
      else if (first.isLost) await this.deletePod(first, context);
    } else if (pods.length === 0) {
      const message = 'All members are lost with their data; create an EtcdRestore, or delete the EtcdCluster';
      if (context.conditions.get('Available')?.reason !== 'Lost') context.events.warning('Lost', message);
      context.conditions.set('Available', false, 'Lost', message);
    } else {
      const message = `No quorum responds; it returns when enough of ${pods.map(({ name }) => name).join(', ')} run again`;
      context.conditions.set('Available', false, 'QuorumLost', message);
    }
    return requeueAfter(pauses.wait);
  }

  private async take(
    step: Step,
    cluster: EtcdCluster,
    { members, urls }: Observation,
    pods: readonly MemberPod[],
    version: string,
    context: ReconcileContext,
  ): Promise<ReconcileResult> {
    const { events } = context;
    switch (step.do) {
      case 'nothing':
        return requeueAfter(pauses.quiet);
      case 'wait':
        return requeueAfter(pauses.wait);
      case 'delete-pod':
        await this.deletePod(step.pod, context);
        break;
      case 'add-learner': {
        const name = `${cluster.metadata.name}-${1 + Math.max(...[...members, ...pods].map(indexOf))}`;
        await this.etcd.addLearner(urls, peerUrl(cluster, name));
        events.normal('MemberAdded', `Added member ${name}`);
        const peers = Object.fromEntries(
          [...members.map((one) => one.name), name].map((one) => [one, peerUrl(cluster, one)]),
        );
        await context.apply(podFor(cluster, name, version, { peers, state: 'existing' }));
        break;
      }
      case 'promote':
        if (await this.etcd.promote(urls, step.member.id)) events.normal('MemberPromoted', `${step.member.name} votes`);
        break;
      case 'remove':
        if (step.member.pod === undefined && (await hasPod(step.member, context))) return requeueAfter(pauses.wait);
        await this.etcd.remove(urls, step.member.id);
        if (step.reason === 'Recovering')
          events.warning('MemberLost', `Removed member ${step.member.name}, which is lost`);
        else events.normal('MemberRemoved', `Removed member ${step.member.name}`);
        break;
      case 'move-leader':
        await this.etcd.moveLeader(clientUrl(cluster, step.from.name), step.to.id);
        break;
      case 'upgrade':
        if (step.member.pod !== undefined) await this.setVersion(cluster, step.member.pod, version, context);
    }
    return requeueAfter(pauses.step);
  }

  /** Changes the image of a pod. The container starts again in the same pod, with its data. */
  private async setVersion(
    cluster: EtcdCluster,
    { name, version, uid }: MemberPod,
    to: string,
    { client, events, key }: ReconcileContext,
  ): Promise<void> {
    events.normal('UpgradingMember', `Changing member ${name} from ${version} to ${to}`);
    await client.patch(Pod, new ObjectKey(name, key.namespace), {
      json: [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'replace', path: '/spec/containers/0/image', value: imageOf(cluster, to) },
      ],
    });
  }

  private async deletePod({ name, uid }: MemberPod, { client, key }: ReconcileContext): Promise<void> {
    await ignoreNotFound(client.delete(Pod, new ObjectKey(name, key.namespace), { preconditions: { uid } }));
  }

  private podOf(pod: Pod): MemberPod {
    const { metadata, status } = pod;
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    const unreadySince =
      ready?.status === 'True' ? undefined : (ready?.lastTransitionTime ?? metadata.creationTimestamp);
    const isUnreadyForLong = this.clock.now() - new Date(unreadySince ?? this.clock.now()).getTime() > lostAfterMs;
    return {
      name: metadata.name,
      uid: metadata.uid ?? '',
      version: versionOf(pod),
      restore: restoreOf(pod),
      isTerminating: metadata.deletionTimestamp !== undefined,
      isReady: ready?.status === 'True',
      isRunning: status?.containerStatuses?.[0]?.state?.running !== undefined,
      isLost: status?.phase === 'Failed' || status?.phase === 'Succeeded' || isUnreadyForLong,
    };
  }
}

/** Asks the API server, because the cache may not contain a new pod yet. */
async function hasPod({ name }: Member, { client, key }: ReconcileContext): Promise<boolean> {
  return (await ignoreNotFound(client.get(Pod, new ObjectKey(name, key.namespace)))) !== undefined;
}

/** Returns the version that the members should run: that of the spec, unless etcd cannot be upgraded to it. */
function targetVersion({ spec, status }: EtcdCluster, from: string, { conditions, events }: ReconcileContext) {
  const refusal = checkUpgrade(from, spec.version);
  if (refusal === undefined) return { version: spec.version };
  if (conditions.get('Upgrading')?.reason !== 'Refused') events.warning('UpgradeRefused', refusal);
  conditions.set('Upgrading', false, 'Refused', refusal);
  return { version: status.version ?? spec.version, refusal };
}

function reportMembers(
  { status }: EtcdCluster,
  members: readonly Member[],
  version: string,
  { conditions, events }: ReconcileContext,
): void {
  const names = (isReady: boolean): string[] =>
    members
      .filter(({ isHealthy, pod }) => (isHealthy && pod?.isReady === true) === isReady)
      .map(({ name }) => name)
      .sort();
  status.members = { ready: names(true), unready: names(false) };
  status.size = members.filter(({ isLearner }) => !isLearner).length;
  conditions.set('Available', true, 'Quorum', `${status.members.ready.length} of ${members.length} members are ready`);
  if (status.version === version || members.some(({ isHealthy, pod }) => !isHealthy || pod?.version !== version))
    return;
  if (status.version !== undefined) events.normal('Upgraded', `All members run ${version}`);
  status.version = version;
}

function reportStep(step: Step, { conditions }: ReconcileContext): void {
  const reason = step.do === 'nothing' ? undefined : step.reason;
  const message = step.do === 'wait' ? step.message : step.do;
  for (const type of ['Recovering', 'Scaling'] as const)
    conditions.set(
      type,
      reason === type,
      reason === type ? 'InProgress' : 'AsExpected',
      reason === type ? message : '',
    );
}
