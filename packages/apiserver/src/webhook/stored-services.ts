import type { Random } from '@evenkeel/core';
import type { EndpointSlice, Service } from '@evenkeel/kinds';
import { goQuote } from '../apimachinery/index.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { EndpointAddress, ServiceResolver } from './service-resolver.ts';

/**
 * Resolves Services by their stored EndpointSlices, because cluster addresses lead nowhere in an embedded cluster.
 *
 * Source: `ResolveEndpoint` of apiserver `pkg/util/proxy`, which `--enable-aggregator-routing` selects.
 */
export class StoredServices implements ServiceResolver {
  readonly #store: ObjectStore;
  readonly #random: Random;

  constructor(store: ObjectStore, random: Random) {
    this.#store = store;
    this.#random = random;
  }

  resolve(namespace: string, name: string, port: number): EndpointAddress {
    const service = this.#store.get('/services', namespace, name)?.object as Service | undefined;
    if (service === undefined) throw new Error(`service ${goQuote(name)} not found`);
    const served = service.spec?.ports?.find((candidate) => candidate.port === port);
    if (served === undefined) throw new Error(`no service port ${port} found for service ${goQuote(name)}`);
    const type = service.spec?.type ?? 'ClusterIP';
    if (type === 'ExternalName') throw new Error(`unsupported service type ${goQuote(type)}`);
    const addresses = this.#slicesOf(namespace, name).flatMap((slice) => readyAddresses(slice, served.name ?? ''));
    const chosen = addresses[Math.floor(this.#random.next() * addresses.length)];
    if (chosen === undefined) throw new Error(`no endpoints available for service ${goQuote(name)}`);
    return chosen;
  }

  #slicesOf(namespace: string, service: string): EndpointSlice[] {
    const slices = this.#store.resource('discovery.k8s.io/endpointslices').list(namespace);
    return slices
      .map(({ object }) => object as unknown as EndpointSlice)
      .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === service);
  }
}

function readyAddresses({ endpoints, ports }: EndpointSlice, portName: string): EndpointAddress[] {
  const port = ports?.find(({ name }) => (name ?? '') === portName)?.port;
  if (port === undefined) return [];
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => addresses.map((host) => ({ host, port })));
}
