import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { type CustomResourceDefinition, provider } from 'evenkeel';
import { Etcd } from './etcd.ts';
import { EtcdBackup, EtcdRestore } from './etcd-backup.ts';
import { EtcdCluster } from './etcd-cluster.ts';
import { SnapshotAddress } from './snapshot-server.ts';
import { SnapshotDirectory, SnapshotStore } from './snapshot-store.ts';

/** The CRDs of the operator. */
export async function etcdDefinitions(): Promise<CustomResourceDefinition[]> {
  const sources = await readSources(['etcd-cluster', 'etcd-backup'].map((file) => `${import.meta.dirname}/${file}.ts`));
  return Promise.all([EtcdCluster, EtcdBackup, EtcdRestore].map((kind) => customResourceDefinitionOf(kind, sources)));
}

/** The services of the operator, with its snapshots in a folder. Without one, it takes and serves no snapshots. */
export function etcdServices(etcd: Etcd, folder = '/nowhere', address = new SnapshotAddress('http://snapshots:1')) {
  return [
    provider({ provide: Etcd, useValue: etcd }),
    provider({ provide: SnapshotStore, useValue: new SnapshotDirectory(folder) }),
    provider({ provide: SnapshotAddress, useValue: address }),
  ];
}
