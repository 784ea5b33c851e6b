import type { Client } from '@evenkeel/client';
import { ignoreNotFound, ObjectKey } from '@evenkeel/core';
import { Lease, type LeaseSpec } from '@evenkeel/kinds/coordination/v1';

/** The one Lease of an election, read and written with the resourceVersion that was read. */
export class LeaseLock {
  readonly key: ObjectKey;
  readonly #client: Client;

  constructor(client: Client, key: ObjectKey) {
    this.#client = client;
    this.key = key;
  }

  async read(signal: AbortSignal): Promise<Lease | undefined> {
    return await ignoreNotFound(this.#client.get(Lease, this.key, { signal }));
  }

  create(spec: LeaseSpec, signal: AbortSignal, annotations?: Readonly<Record<string, string>>): Promise<Lease> {
    const { name, namespace } = this.key;
    const metadata = { name, ...(namespace && { namespace }), ...(annotations && { annotations }) };
    return this.#client.create(Lease, { metadata, spec }, { signal });
  }

  /** Rejects with a conflict if the Lease has changed since it was read. Its labels and other fields are kept. */
  update(lease: Lease, spec: LeaseSpec, signal: AbortSignal): Promise<Lease> {
    return this.#client.update(Lease, { ...lease, spec: { ...lease.spec, ...spec } }, { signal });
  }
}
