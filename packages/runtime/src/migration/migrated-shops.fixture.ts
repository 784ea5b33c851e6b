import { type Client, createClient } from '@evenkeel/client';
import { type ApiResource, type ObjectMeta, StatusError, type Transport, type TransportRequest } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';

/** What a faulty connection does with a request: nothing, a response, or an error. */
export type Fault = { readonly status: number; readonly body: object } | Error | undefined;

/** Passes requests on, and counts the empty patches. `fault` decides about each request. */
export class CountingTransport implements Transport {
  readonly #to: Transport;
  patches = 0;
  fault: (request: TransportRequest) => Fault = () => undefined;

  constructor(to: Transport) {
    this.#to = to;
  }

  async request(request: TransportRequest): ReturnType<Transport['request']> {
    if (request.method === 'PATCH' && request.body === '{}') this.patches++;
    const fault = this.fault(request);
    if (fault === undefined) return this.#to.request(request);
    if (fault instanceof Error) throw fault;
    const body = (async function* () {
      yield Buffer.from(JSON.stringify(fault.body));
    })();
    return { status: fault.status, headers: { 'content-type': 'application/json' }, body };
  }

  async close(): Promise<void> {}
}

/** A response that rejects a request. */
export function rejection(code: number, reason: string, message: string, metadata: object = {}): Fault {
  return {
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', metadata, status: 'Failure', code, reason, message },
  };
}

let made = 0;

/** A kind with the versions v1beta1, the storage version at first, and v1. Each has its own group. */
export class Shops {
  readonly client: Client;
  readonly name: string;
  readonly v1beta1: ApiResource;
  readonly v1: ApiResource;

  private constructor(client: Client, group: string) {
    this.client = client;
    this.name = `shops.${group}`;
    this.v1 = { group, version: 'v1', kind: 'Shop', plural: 'shops', namespaced: true };
    this.v1beta1 = { ...this.v1, version: 'v1beta1' };
  }

  static async create(transport: Transport): Promise<Shops> {
    const shops = new Shops(createClient(transport, { fieldManager: 'shopkeeper' }), `m${made++}.example.com`);
    await shops.client.create(CustomResourceDefinition, shops.#definition());
    await shops.until(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True'),
    );
    await shops.untilServed(shops.v1beta1);
    return shops;
  }

  #definition(): Pick<CustomResourceDefinition, 'spec'> & { metadata: { name: string } } {
    const properties = { spec: { type: 'object', properties: { color: { type: 'string' } } } };
    const schema = { openAPIV3Schema: { type: 'object', properties } };
    return {
      metadata: { name: this.name },
      spec: {
        group: this.v1.group,
        names: { kind: 'Shop', plural: 'shops' },
        scope: 'Namespaced',
        versions: [
          { name: 'v1beta1', served: true, storage: true, schema },
          { name: 'v1', served: true, storage: false, schema },
        ],
      },
    };
  }

  async until(
    isTrue: (definition: CustomResourceDefinition) => boolean | undefined,
  ): Promise<CustomResourceDefinition> {
    for (;;) {
      const definition = await this.definition();
      if (isTrue(definition) === true) return definition;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** A server serves a new version a moment after it has accepted it. */
  async untilServed(version: ApiResource): Promise<void> {
    for (;;) {
      try {
        await this.client.list(version, { limit: 1 });
        return;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  definition(): Promise<CustomResourceDefinition> {
    return this.client.get(CustomResourceDefinition, this.name);
  }

  async storedVersions(): Promise<readonly string[] | undefined> {
    return (await this.definition()).status?.storedVersions;
  }

  /** Creates `count` shops in the version v1beta1, some at a time. */
  async fill(count: number, prefix = 'shop'): Promise<void> {
    const names = Array.from({ length: count }, (_, at) => `${prefix}-${at}`).values();
    const workers = Array.from({ length: 16 }, async () => {
      for (const name of names) await this.add(name);
    });
    await Promise.all(workers);
  }

  async add(name: string): Promise<void> {
    await this.client.create(this.v1beta1, { metadata: { name, namespace: 'default' }, spec: { color: 'red' } });
  }

  /** Makes this version the storage version. */
  async store(version: 'v1' | 'v1beta1'): Promise<void> {
    await this.change(({ spec }) => {
      for (const one of spec.versions) one.storage = one.name === version;
    });
  }

  async change(edit: (definition: CustomResourceDefinition) => void): Promise<void> {
    const definition = await this.definition();
    edit(definition);
    await this.client.update(CustomResourceDefinition, definition);
  }

  /** The metadata of all shops by name. */
  async metadata(): Promise<ReadonlyMap<string, ObjectMeta>> {
    const { items } = await this.client.list(this.v1);
    return new Map(items.map(({ metadata }) => [metadata.name, metadata]));
  }
}
