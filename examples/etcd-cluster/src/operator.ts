import { Client, defineOperator, provider } from 'evenkeel';
import { Etcd } from './etcd.ts';
import { EtcdBackupController } from './etcd-backup.controller.ts';
import { EtcdClusterController } from './etcd-cluster.controller.ts';
import { EtcdGateway } from './etcd-gateway.ts';
import { EtcdRestoreController } from './etcd-restore.controller.ts';
import { SimulatedEtcd } from './simulated-etcd.ts';
import { SnapshotAddress, SnapshotServer } from './snapshot-server.ts';
import { SnapshotDirectory, SnapshotStore } from './snapshot-store.ts';

/**
 * The directory of the snapshots, and the URL at which pods download them from this operator. With ETCD=simulated, the pods need no
 * processes.
 */
const {
  ETCD,
  SNAPSHOT_DIRECTORY = '/snapshots',
  SNAPSHOT_URL = 'http://example-etcd-cluster-snapshots:8090',
} = process.env;

export const operator = defineOperator({
  name: 'example-etcd-cluster',
  controllers: [EtcdClusterController, EtcdBackupController, EtcdRestoreController],
  services: [
    provider({
      provide: Etcd,
      inject: [Client],
      useFactory: (client) => (ETCD === 'simulated' ? new SimulatedEtcd(client) : new EtcdGateway()),
    }),
    provider({ provide: SnapshotStore, useFactory: () => new SnapshotDirectory(SNAPSHOT_DIRECTORY) }),
    provider({ provide: SnapshotAddress, useFactory: () => new SnapshotAddress(SNAPSHOT_URL) }),
  ],
  runnables: [SnapshotServer],
});
