import { createHash } from 'node:crypto';
import {
  awaitChange,
  Clock,
  Controller,
  Lister,
  ListerOf,
  ObjectKey,
  parseDuration,
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  requeueAfter,
} from 'evenkeel';
import { type BackupHooks, type BackupPlan, backUp } from 'evenkeel/lifecycle';
import { Etcd } from './etcd.ts';
import { EtcdBackup, EtcdBackupSpec, type EtcdSnapshot } from './etcd-backup.ts';
import { EtcdCluster } from './etcd-cluster.ts';
import { clientUrl } from './member-pod.ts';
import { SnapshotStore } from './snapshot-store.ts';

/** How soon a backup that failed is tried again. */
const retry = '15s';

@Controller(EtcdBackup)
export class EtcdBackupController {
  constructor(
    @ListerOf(EtcdCluster) private readonly clusters: Lister<EtcdCluster>,
    private readonly etcd: Etcd,
    private readonly store: SnapshotStore,
    private readonly clock: Clock,
  ) {}

  @Reconcile({ maxConcurrent: 2, timeout: '10m' })
  async reconcile({ metadata, spec, status }: EtcdBackup, context: ReconcileContext): Promise<ReconcileResult> {
    const { conditions, events, key } = context;
    const cluster = this.clusters.get(new ObjectKey(spec.cluster, metadata.namespace));
    const folder = folderOf(key);
    const hooks: BackupHooks<EtcdSnapshot> = {
      list: async () => (await this.store.list(folder)).map(snapshotNamed),
      take: () => this.take(cluster, folder),
      remove: ({ name }) => this.store.remove(folder, name),
    };
    try {
      const { backups, taken, next } = await backUp(planOf(spec), hooks, new Date(this.clock.now()));
      status.snapshots = [...backups];
      if (taken !== undefined) events.normal('BackedUp', `Stored snapshot ${taken.name}`);
      conditions.set('Ready', true, 'Stored', `The latest snapshot is ${backups.at(-1)?.name}`);
      return next === undefined ? awaitChange() : requeueAfter(`${Math.max(0, next.getTime() - this.clock.now())}ms`);
    } catch (error) {
      const message = (error as Error).message;
      if (conditions.get('Ready')?.message !== message) events.warning('BackupFailed', message);
      conditions.set('Ready', false, 'Failed', message);
      // Not with a backoff, which would grow while the cluster is down, and then delay the backup.
      return requeueAfter(retry);
    }
  }

  /** Stores the snapshot of one member, which has all writes that were acknowledged before. */
  private async take(cluster: ReturnType<Lister<EtcdCluster>['get']>, folder: string): Promise<EtcdSnapshot> {
    const [member] = cluster?.status?.members?.ready ?? [];
    if (cluster === undefined || member === undefined) throw new Error('the EtcdCluster has no ready member');
    const url = clientUrl(cluster, member);
    // A linearizable read: the member has then applied everything that was acknowledged before.
    await this.etcd.members([url]);
    const { revision, version } = await this.etcd.report(url);
    const takenAt = new Date(this.clock.now()).toISOString();
    const name = `${takenAt.replaceAll(':', '-')}_r${revision}_v${version}.db`;
    await this.store.write(folder, name, verified(this.etcd.snapshot(url)));
    return { name, takenAt };
  }
}

function planOf({ interval, maxBackups }: EtcdBackupSpec): BackupPlan {
  return { maxBackups, ...(interval === undefined ? {} : { interval: parseDuration(interval) }) };
}

/** The folder of the snapshots of an EtcdBackup. */
export function folderOf({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

function snapshotNamed(name: string): EtcdSnapshot {
  return { name, takenAt: name.replace(/_.*$/, '').replace(/T(\d+)-(\d+)-/, 'T$1:$2:') };
}

const hashLength = 32;

/** Passes a snapshot on. Rejects at the end if it does not end with the SHA-256 hash of its other bytes. */
async function* verified(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  let held = Buffer.alloc(0);
  for await (const chunk of content) {
    yield chunk;
    const bytes = Buffer.concat([held, chunk]);
    const end = Math.max(0, bytes.length - hashLength);
    hash.update(bytes.subarray(0, end));
    held = bytes.subarray(end);
  }
  if (!hash.digest().equals(held)) throw new Error('the snapshot does not match its hash');
}
