import { randomBytes } from 'node:crypto';
import {
  awaitChange,
  Controller,
  Lister,
  ListerOf,
  ObjectKey,
  Owns,
  Rbac,
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  requeueAfter,
  Secret,
  Watches,
} from 'evenkeel';
import { folderOf } from './etcd-backup.controller.ts';
import { EtcdRestore } from './etcd-backup.ts';
import { EtcdCluster, restoreMark, restoreName, restoreOf } from './etcd-cluster.ts';
import { tokenOf } from './snapshot-server.ts';
import { SnapshotStore } from './snapshot-store.ts';

/** How soon a restore that cannot start is tried again. */
const retry = '10s';

@Controller(EtcdRestore)
@Owns(Secret)
@Rbac(EtcdCluster, ['patch'], { reason: 'asks the EtcdCluster to restore, with an annotation' })
@Rbac(EtcdRestore, ['get'], { reason: 'serves the snapshot of a restore' })
@Rbac(Secret, ['get'], { reason: 'compares the token of a pod that asks for a snapshot' })
export class EtcdRestoreController {
  constructor(
    @ListerOf(EtcdCluster) private readonly clusters: Lister<EtcdCluster>,
    @ListerOf(EtcdRestore) private readonly restores: Lister<EtcdRestore>,
    private readonly store: SnapshotStore,
  ) {}

  /** Asks the EtcdCluster for the restore, one at a time, and reports when it is complete. The EtcdCluster's controller owns the pods. */
  @Reconcile()
  async reconcile({ metadata, spec, status }: EtcdRestore, context: ReconcileContext): Promise<ReconcileResult> {
    const { conditions, events, key } = context;
    if (conditions.get('Complete')?.status === 'True') return awaitChange();
    const wait = (reason: string, message: string): ReconcileResult => {
      if (conditions.get('Complete')?.reason !== reason) events.warning(reason, message);
      conditions.set('Complete', false, reason, message);
      return requeueAfter(retry);
    };
    const cluster = this.clusters.get(new ObjectKey(spec.cluster, metadata.namespace));
    if (cluster === undefined) return wait('ClusterNotFound', `EtcdCluster ${spec.cluster} does not exist; create it`);
    const requested = restoreOf(cluster);
    const restored = cluster.status?.restored;
    const own = restoreMark(metadata);
    if (requested === own && restored === own) {
      events.normal('Restored', `EtcdCluster ${spec.cluster} has the data of ${status.snapshot}`);
      conditions.set('Complete', true, 'Restored', `The cluster has the data of ${status.snapshot}`);
      return awaitChange();
    }
    if (requested !== undefined && requested !== own && requested !== restored && this.exists(requested, key))
      return wait('Waiting', `another EtcdRestore is in progress: ${restoreName(requested)}`);
    const names = await this.store.list(folderOf(new ObjectKey(spec.backup, metadata.namespace)));
    const name = status.snapshot ?? spec.snapshot ?? names.at(-1);
    if (name === undefined || !names.includes(name))
      return wait('SnapshotNotFound', `EtcdBackup ${spec.backup} has no snapshot ${name ?? ''}`);
    conditions.set('Complete', false, 'Restoring', `The data of ${spec.cluster} is replaced by that of ${name}`);
    const isChosen = status.snapshot === name;
    status.snapshot = name;
    // The status must be stored before the cluster's pod asks for the snapshot.
    if (!isChosen) return requeueAfter('1ms');
    const secret = tokenOf(metadata.name);
    await context.applyFrom(Secret, secret.name, (stored) => ({
      data: {
        [secret.key]:
          stored?.data?.[secret.key] ?? Buffer.from(randomBytes(32).toString('base64url')).toString('base64'),
      },
    }));
    if (requested === own) return awaitChange();
    await context.client.patch(EtcdCluster, ObjectKey.of(cluster), {
      merge: { metadata: { annotations: { [restoreOf.annotation]: own } } },
    });
    return awaitChange();
  }

  /** Enqueues the restore that an EtcdCluster carries out. */
  @Watches(EtcdCluster)
  onCluster(cluster: EtcdCluster): ObjectKey[] {
    const restore = restoreOf(cluster);
    return restore === undefined ? [] : [new ObjectKey(restoreName(restore), cluster.metadata.namespace)];
  }

  private exists(requested: string, { namespace }: ObjectKey): boolean {
    return this.restores.get(new ObjectKey(restoreName(requested), namespace)) !== undefined;
  }
}
