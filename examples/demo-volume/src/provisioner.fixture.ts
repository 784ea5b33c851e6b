import type { Environment, EnvironmentGuest } from '@evenkeel/testing';
import { PersistentVolume, PersistentVolumeClaim, StorageClass } from 'evenkeel';

/**
 * Provides and expands the volumes of a namespace on a cluster, whose storage drivers know nothing about the classes of a test. The embedded
 * server does it itself.
 */
export class TestProvisioner implements EnvironmentGuest {
  readonly #environment: Environment;
  readonly #namespace: string;
  readonly #stopping = new AbortController();
  readonly #watching: Promise<void>;

  private constructor(environment: Environment, namespace: string) {
    this.#environment = environment;
    this.#namespace = namespace;
    this.#watching = environment.kind === 'cluster' ? this.#watch() : Promise.resolve();
    environment.join(this);
  }

  /** Creates a class, and provides its volumes until the environment is closed. */
  static async start(environment: Environment, namespace: string): Promise<TestProvisioner> {
    const { client } = environment;
    const provisioner = 'example.com/disks';
    await client.apply(StorageClass, {
      metadata: { name: 'expandable' },
      provisioner,
      allowVolumeExpansion: true,
    } as never);
    await client.apply(StorageClass, { metadata: { name: 'fixed' }, provisioner } as never);
    return new TestProvisioner(environment, namespace);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
  }

  describe(): readonly string[] {
    return [];
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    const options = { namespace: this.#namespace, signal };
    try {
      for await (const { type, object } of this.#environment.client.watch(PersistentVolumeClaim, options)) {
        if (type === 'ADDED' || type === 'MODIFIED') await this.#provide(object as PersistentVolumeClaim);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #provide({ metadata, spec = {}, status }: PersistentVolumeClaim): Promise<void> {
    const { client } = this.#environment;
    const { name, namespace = '', uid = '' } = metadata;
    const storage = spec.resources?.requests?.['storage'] ?? '0';
    const capacity = { storage };
    if (status?.phase === 'Pending' && !spec.volumeName) {
      await client.apply(PersistentVolume, {
        metadata: { name: `pvc-${uid}` },
        spec: {
          capacity,
          accessModes: ['ReadWriteOnce'],
          claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
          persistentVolumeReclaimPolicy: 'Retain',
          storageClassName: spec.storageClassName ?? '',
          hostPath: { path: `/var/lib/volumes/${uid}` },
        },
      });
    }
    if (status?.phase === 'Bound' && status.capacity?.['storage'] !== storage) {
      await client.patch(PersistentVolume, spec.volumeName ?? '', { merge: { spec: { capacity } } });
      const claim = client.subresource(PersistentVolumeClaim, `${namespace}/${name}`, 'status');
      await claim.patch({ merge: { status: { capacity } } });
    }
  }
}
