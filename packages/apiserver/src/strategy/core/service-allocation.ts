import type { Service } from '@evenkeel/kinds';
import { type FieldError, invalid, jsonEqual } from '../../apimachinery/index.ts';
import type { ServiceAllocator } from '../../kind/strategy.ts';
import { invalidObject } from '../../status/refusal.ts';
import { allocatesNodePorts, hasNodePorts, needsClusterIp, needsHealthCheck } from './service-defaults.ts';
import { clusterIpErrors } from './service-validation.ts';

type ServiceSpec = NonNullable<Service['spec']>;

/*
 * What the server hands out to a Service: cluster addresses, node ports, and the IP families that go with them. The
 * cluster has one family, IPv4. Sources: `pkg/registry/core/service/storage/alloc.go` and `storage.go`.
 *
 * Flow: fields that the update left out are taken from the stored service; singular and plural address agree; families
 * are chosen; addresses and ports are taken. Nothing is given back here: {@link releaseUnused} does, once the object is
 * stored, and the pipeline does for a request that failed.
 */
export function allocate(service: Service, old: Service | undefined, allocator: ServiceAllocator): void {
  const { spec } = service;
  if (spec === undefined) return;
  const before = old?.spec;
  if (before !== undefined) keepAllocated(spec, before);
  normalizeClusterIps(spec, before);
  chooseFamilies(service, spec, before);
  allocateClusterIps(service, spec, before, allocator);
  allocateNodePorts(service, spec, before, allocator);
}

/** Gives back what the service had and has no more; everything where it was deleted. */
export function releaseUnused(service: Service | undefined, old: Service, allocator: ServiceAllocator): void {
  const kept = new Set(addressesOf(service?.spec));
  for (const address of addressesOf(old.spec)) if (!kept.has(address)) allocator.releaseClusterIp(address);
  const keptPorts = new Set(portsOf(service?.spec));
  for (const port of portsOf(old.spec)) if (!keptPorts.has(port)) allocator.releaseNodePort(port);
}

function addressesOf(spec: ServiceSpec | undefined): readonly string[] {
  if (spec === undefined || !needsClusterIp(spec)) return [];
  return (spec.clusterIPs ?? []).filter((address) => address !== 'None' && address !== '');
}

function portsOf(spec: ServiceSpec | undefined): readonly number[] {
  if (spec === undefined) return [];
  const ports = (spec.ports ?? []).map(({ nodePort }) => nodePort ?? 0);
  return [...ports, spec.healthCheckNodePort ?? 0].filter((port) => port !== 0);
}

function keepAllocated(spec: ServiceSpec, before: ServiceSpec): void {
  if (needsClusterIp(before) && needsClusterIp(spec)) {
    if (!spec.clusterIP && before.clusterIP) spec.clusterIP = before.clusterIP;
    if (!spec.clusterIPs?.length && before.clusterIPs?.length) spec.clusterIPs = [...before.clusterIPs];
  }
  if (allocatesNodePorts(before) && allocatesNodePorts(spec)) {
    const given = new Set((spec.ports ?? []).map(({ nodePort }) => nodePort || undefined));
    const byName = new Map((before.ports ?? []).map((port) => [port.name ?? '', port.nodePort]));
    for (const port of spec.ports ?? []) {
      const known = byName.get(port.name ?? '');
      if (!port.nodePort && known && !given.has(known)) port.nodePort = known;
    }
  }
  if (needsHealthCheck(before) && needsHealthCheck(spec) && before.healthCheckNodePort) {
    spec.healthCheckNodePort ||= before.healthCheckNodePort;
  }
}

/** `clusterIP` is the first of `clusterIPs`; who writes only one of the two means both. */
function normalizeClusterIps(spec: ServiceSpec, before: ServiceSpec | undefined): void {
  const single = spec.clusterIP ?? '';
  if (before === undefined) {
    if (single !== '' && !spec.clusterIPs?.length) spec.clusterIPs = [single];
    return;
  }
  const singleBefore = before.clusterIP ?? '';
  if (single === singleBefore) {
    if (before.clusterIPs?.length && !spec.clusterIPs?.length) spec.clusterIPs = [...before.clusterIPs];
    return;
  }
  if (!jsonEqual(spec.clusterIPs ?? [], before.clusterIPs ?? [])) return;
  if (singleBefore !== '' && single === '') delete spec.clusterIPs;
  else spec.clusterIPs = [single];
}

function chooseFamilies(service: Service, spec: ServiceSpec, before: ServiceSpec | undefined): void {
  if (!needsClusterIp(spec)) return;
  const headlessWithoutSelector = spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= before?.ipFamilyPolicy ?? (headlessWithoutSelector ? 'RequireDualStack' : 'SingleStack');
  refuse(service, clusterIpErrors(spec, before));

  const errors: FieldError[] = [];
  const policy = spec.ipFamilyPolicy;
  const path = 'spec.ipFamilyPolicy';
  if (before !== undefined && policy === 'SingleStack') {
    if (jsonEqual(spec.clusterIPs, before.clusterIPs) && (spec.clusterIPs ?? []).length > 1) spec.clusterIPs?.splice(1);
    if (jsonEqual(spec.ipFamilies, before.ipFamilies) && (spec.ipFamilies ?? []).length > 1) spec.ipFamilies?.splice(1);
  } else if (before !== undefined) {
    const reduced = (now: readonly string[] = [], then: readonly string[] = []): boolean =>
      now.length > 0 && now.length < then.length;
    if (reduced(spec.clusterIPs, before.clusterIPs)) {
      errors.push(invalid(path, policy, "must be 'SingleStack' to release the secondary cluster IP"));
    }
    if (reduced(spec.ipFamilies, before.ipFamilies)) {
      errors.push(invalid(path, policy, "must be 'SingleStack' to release the secondary IP family"));
    }
  }
  if (policy === 'SingleStack') {
    const multiple = (what: string): string =>
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    if (spec.clusterIPs?.length === 2) errors.push(invalid(path, policy, multiple('cluster IPs')));
    if (spec.ipFamilies?.length === 2) errors.push(invalid(path, policy, multiple('IP families')));
  }
  const families = [...(spec.ipFamilies ?? [])];
  for (const [index, address] of (spec.clusterIPs ?? []).entries()) {
    if (address === 'None') break;
    if (index < families.length) continue;
    if (address.includes(':')) {
      errors.push(invalid(`spec.clusterIPs[${index}]`, spec.clusterIPs, 'IPv6 is not configured on this cluster'));
    } else families.push('IPv4');
  }
  refuse(service, errors);

  if (headlessWithoutSelector) {
    if (families.length === 0) families.push('IPv4');
    if (families.length < 2 && policy !== 'SingleStack') families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4');
    spec.ipFamilies = families;
    return;
  }
  if (policy === 'RequireDualStack') {
    errors.push(invalid(path, policy, 'this cluster is not configured for dual-stack services'));
  }
  for (const [index, family] of families.entries()) {
    if (family !== 'IPv4') errors.push(invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'));
  }
  refuse(service, errors);
  spec.ipFamilies = families.length === 0 ? ['IPv4'] : families;
}

function allocateClusterIps(
  service: Service,
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  allocator: ServiceAllocator,
): void {
  if (!needsClusterIp(spec) || spec.clusterIPs?.[0] === 'None') return;
  if (before !== undefined && needsClusterIp(before)) return;
  const asked = spec.clusterIPs?.[0] ?? '';
  if (asked === '') {
    const address = allocator.nextClusterIp();
    spec.clusterIP = address;
    spec.clusterIPs = [address];
    return;
  }
  const reason = allocator.takeClusterIp(asked);
  if (reason === undefined) return;
  refuse(service, [invalid('spec.clusterIPs', spec.clusterIPs, `failed to allocate IP ${asked}: ${reason}`)]);
}

function allocateNodePorts(
  service: Service,
  spec: ServiceSpec,
  before: ServiceSpec | undefined,
  allocator: ServiceAllocator,
): void {
  const owned = new Set(portsOf(before));
  const take = (port: number, path: string): void => {
    if (owned.has(port)) return;
    const reason = allocator.takeNodePort(port);
    if (reason !== undefined) refuse(service, [invalid(path, port, reason)]);
    owned.add(port);
  };
  if (hasNodePorts(spec)) {
    // Two ports of one number (TCP and UDP) share a node port.
    const shared = new Map<number, number>();
    for (const { port, nodePort } of spec.ports ?? []) if (nodePort && !shared.has(port)) shared.set(port, nodePort);
    for (const [index, port] of (spec.ports ?? []).entries()) {
      if (!port.nodePort && !allocatesNodePorts(spec)) continue;
      if (port.nodePort) {
        take(port.nodePort, `spec.ports[${index}].nodePort`);
        continue;
      }
      const known = before === undefined ? shared.get(port.port) : undefined;
      if (known === undefined) port.nodePort = allocator.nextNodePort();
      else {
        take(known, `spec.ports[${index}].nodePort`);
        port.nodePort = known;
      }
      owned.add(port.nodePort);
      shared.set(port.port, port.nodePort);
    }
  }
  if (!needsHealthCheck(spec) || (before !== undefined && needsHealthCheck(before))) return;
  if (spec.healthCheckNodePort) take(spec.healthCheckNodePort, 'spec.healthCheckNodePort');
  else spec.healthCheckNodePort = allocator.nextNodePort();
}

function refuse({ metadata }: Service, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject({ group: '', kind: 'Service' }, metadata.name, errors);
}
