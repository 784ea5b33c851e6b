import { BlockList, isIP } from 'node:net';
import type { StatusError } from '@evenkeel/core';
import { goQuote } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { badRequest, notFound, refusal } from '../status/refusal.ts';
import type { ObjectStore } from '../store/object-store.ts';

/** A connection that a client asks for, after admission. */
export interface Connection {
  readonly store: ObjectStore;
  readonly namespace: string;
  /** The name in the path. For a proxy also a scheme and a port: `https:web:8443`. */
  readonly id: string;
  /** Whether the client asks for another protocol, such as WebSocket. */
  readonly isUpgrade: boolean;
}

/**
 * Fails a connection with these options. The embedded cluster has no kubelets and no processes, so the connection to each address
 * is refused, as on a real server if the program behind the address does not run.
 *
 * Source: kube-apiserver `pkg/registry/core/{pod,service,node}`, `ResourceLocation` and `streamLocation`; apimachinery
 * `pkg/util/proxy/upgradeaware.go`.
 *
 * @throws StatusError
 */
export function failConnection(options: ApiObject, connection: Connection): never {
  const needsUpgrade = !options.kind?.endsWith('ProxyOptions');
  throw refused(locationOf(options, connection), needsUpgrade, connection.isUpgrade);
}

function refused(location: string, needsUpgrade: boolean, isUpgrade: boolean): StatusError {
  const why = `dial tcp ${location}: connect: connection refused`;
  if (isUpgrade) return refusal(500, '', `error dialing backend: ${why}`);
  if (needsUpgrade) return badRequest('Upgrade request required');
  return unavailable(`error trying to reach service: ${why}`);
}

function unavailable(message: string): StatusError {
  return refusal(503, 'ServiceUnavailable', message);
}

function locationOf(options: ApiObject, connection: Connection): string {
  switch (options.kind) {
    case 'PodProxyOptions':
      return podAddress(connection);
    case 'ServiceProxyOptions':
      return serviceAddress(connection);
    case 'NodeProxyOptions':
      return proxiedNodeAddress(connection);
    case 'PodPortForwardOptions':
      return kubeletOf(stored<Pod>(connection, 'pods', connection.id), connection);
    default: {
      const pod = stored<Pod>(connection, 'pods', connection.id);
      checkContainer(pod, String(options['container'] ?? ''));
      return kubeletOf(pod, connection);
    }
  }
}

interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly containerPort: number }[];
}

interface Pod extends ApiObject {
  readonly spec: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
    readonly nodeName?: string;
  };
  readonly status?: { readonly podIP?: string; readonly podIPs?: readonly { readonly ip: string }[] };
}

interface Node extends ApiObject {
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port?: number } };
  };
}

interface Service extends ApiObject {
  readonly spec: { readonly ports?: readonly { readonly name?: string; readonly port: number }[] };
}

interface Endpoints extends ApiObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly {
      readonly ip: string;
      readonly targetRef?: { readonly kind?: string; readonly name?: string };
    }[];
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  }[];
}

function find<T extends ApiObject>({ store, namespace }: Connection, plural: string, name: string): T | undefined {
  return store.get(`/${plural}`, plural === 'nodes' ? '' : namespace, name)?.object as T | undefined;
}

/** @param shown the resource in the error; a missing node of a pod is reported as a missing pod. */
function stored<T extends ApiObject>(connection: Connection, plural: string, name: string, shown = plural): T {
  const found = find<T>(connection, plural, name);
  if (found === undefined) throw notFound({ group: '', plural: shown }, name);
  return found;
}

function checkContainer({ metadata, spec }: Pod, container: string): void {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  const pod = metadata.name ?? '';
  const all = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  if (container !== '') {
    if (all.includes(container)) return;
    throw badRequest(`container ${container} is not valid for pod ${pod}`);
  }
  if (all.length === 1) return;
  const choice = `choose one of: [${all.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${pod}, ${choice}`);
}

function kubeletOf({ metadata, spec }: Pod, connection: Connection): string {
  const { nodeName = '' } = spec;
  if (nodeName === '') throw badRequest(`pod ${metadata.name} does not have a host assigned`);
  const { host, port } = kubeletAddress(stored<Node>(connection, 'nodes', nodeName, 'pods'));
  return joined(host, port);
}

/** The types of addresses in the order in which kube-apiserver prefers them by default. */
const preferredTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const kubeletPort = 10_250;

function kubeletAddress({ status = {} }: Node): { readonly host: string; readonly port: number } {
  const { addresses = [] } = status;
  const [first] = preferredTypes.flatMap((type) => addresses.filter((address) => address.type === type));
  if (first === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw refusal(500, '', `no preferred addresses found; known addresses: [${known}]`);
  }
  return { host: first.address, port: status.daemonEndpoints?.kubeletEndpoint?.Port || kubeletPort };
}

interface Target {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** Parses `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`. */
function targetOf(resource: string, id: string): Target {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length < 3 ? ['', ...parts] : parts;
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme)) {
    throw badRequest(`invalid ${resource} request ${goQuote(id)}`);
  }
  return { scheme, name, port };
}

function podAddress(connection: Connection): string {
  const { scheme, name, port } = targetOf('pod', connection.id);
  const { spec, status = {} } = stored<Pod>(connection, 'pods', name);
  const declared = spec.containers.find(({ ports = [] }) => ports.length > 0)?.ports?.[0]?.containerPort;
  const ip = status.podIPs?.[0]?.ip ?? status.podIP ?? '';
  checkProxied(ip);
  return joined(ip, port || declared || (scheme === 'https' ? 443 : 80));
}

function serviceAddress(connection: Connection): string {
  const { name, port } = targetOf('service', connection.id);
  const portName = /^\d+$/.test(port) ? servicePort(connection, name, Number(port)) : port;
  const endpoints = find<Endpoints>(connection, 'endpoints', name);
  if (endpoints === undefined) throw notFound({ group: '', plural: 'services' }, name);
  const { subsets = [] } = endpoints;
  for (const { addresses = [], ports = [] } of subsets) {
    const found = ports.find((one) => (one.name ?? '') === portName);
    const reached = addresses.find(({ ip, targetRef }) => {
      if (targetRef?.kind !== 'Pod') return false;
      return find<Pod>(connection, 'pods', targetRef.name ?? '')?.status?.podIPs?.some((one) => one.ip === ip) === true;
    });
    if (found !== undefined && reached !== undefined) return joined(reached.ip, found.port);
  }
  const what = subsets.length === 0 ? name : connection.id;
  throw unavailable(`no endpoints available for service ${goQuote(what)}`);
}

/** The name of a Service's port. */
function servicePort(connection: Connection, name: string, port: number): string {
  const { spec } = stored<Service>(connection, 'services', name);
  const found = spec.ports?.find((one) => one.port === port);
  if (found === undefined) throw unavailable(`no service port ${port} found for service ${goQuote(name)}`);
  return found.name ?? '';
}

function proxiedNodeAddress(connection: Connection): string {
  const { name, port } = targetOf('node', connection.id);
  const kubelet = kubeletAddress(stored<Node>(connection, 'nodes', name));
  if (isIP(kubelet.host) !== 0) checkProxied(kubelet.host);
  return joined(kubelet.host, port || kubelet.port);
}

/** Addresses of the API server's own machine and network segment. */
const ownAddresses = new BlockList();
ownAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
ownAddresses.addSubnet('169.254.0.0', 16, 'ipv4');
ownAddresses.addSubnet('224.0.0.0', 24, 'ipv4');
ownAddresses.addAddress('::1', 'ipv6');
ownAddresses.addSubnet('fe80::', 10, 'ipv6');
ownAddresses.addSubnet('ff02::', 16, 'ipv6');

/** Source: `IsProxyableIP` of kube-apiserver `pkg/proxy/util`. */
function checkProxied(ip: string): void {
  const version = isIP(ip);
  if (version === 0 || ownAddresses.check(ip, version === 6 ? 'ipv6' : 'ipv4')) {
    throw badRequest('address not allowed');
  }
}

function joined(host: string, port: number | string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
