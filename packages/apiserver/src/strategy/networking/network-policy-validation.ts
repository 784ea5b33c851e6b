import { BlockList, isIP } from 'node:net';
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '@evenkeel/kinds/networking/v1';
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  portNumberErrors,
  required,
  validateLabelSelector,
} from '../../apimachinery/index.ts';
import { validatePort } from '../number-validation.ts';

const policyTypes = ['Ingress', 'Egress'];
const protocols = ['TCP', 'UDP', 'SCTP'];

/** Source: `ValidateNetworkPolicySpec`, `pkg/apis/networking/validation/validation.go`. */
export function validateNetworkPolicy({ spec }: NetworkPolicy): readonly FieldError[] {
  const errors = validateLabelSelector(spec?.podSelector, 'spec.podSelector');
  for (const [index, { ports = [], from = [] }] of (spec?.ingress ?? []).entries()) {
    errors.push(...ruleErrors(ports, from, `spec.ingress[${index}]`, 'from'));
  }
  for (const [index, { ports = [], to = [] }] of (spec?.egress ?? []).entries()) {
    errors.push(...ruleErrors(ports, to, `spec.egress[${index}]`, 'to'));
  }
  const types = spec?.policyTypes ?? [];
  if (types.length > policyTypes.length) {
    return [...errors, invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')];
  }
  for (const [index, type] of types.entries()) {
    if (!policyTypes.includes(type)) errors.push(notSupported(`spec.policyTypes[${index}]`, type, policyTypes));
  }
  return errors;
}

function ruleErrors(
  ports: readonly NetworkPolicyPort[],
  peers: readonly NetworkPolicyPeer[],
  path: string,
  direction: 'from' | 'to',
): FieldError[] {
  return [
    ...ports.flatMap((port, index) => portErrors(port, `${path}.ports[${index}]`)),
    ...peers.flatMap((peer, index) => peerErrors(peer, `${path}.${direction}[${index}]`)),
  ];
}

function portErrors({ protocol, port, endPort }: NetworkPolicyPort, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (protocol !== undefined && !protocols.includes(protocol)) {
    errors.push(notSupported(`${path}.protocol`, protocol, protocols));
  }
  if (port === undefined) {
    const detail = 'may not be specified when `port` is not specified';
    return endPort === undefined ? errors : [...errors, invalid(`${path}.endPort`, endPort, detail)];
  }
  if (typeof port === 'string') {
    const detail = 'may not be specified when `port` is non-numeric';
    if (endPort !== undefined) errors.push(invalid(`${path}.endPort`, endPort, detail));
    return [...errors, ...validatePort(port, `${path}.port`)];
  }
  errors.push(...validatePort(port, `${path}.port`));
  if (endPort === undefined) return errors;
  // Upstream shows the port.
  if (endPort < port) errors.push(invalid(`${path}.endPort`, port, 'must be greater than or equal to `port`'));
  return [...errors, ...portNumberErrors(endPort).map((detail) => invalid(`${path}.endPort`, endPort, detail))];
}

function peerErrors({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, path: string): FieldError[] {
  const errors = [
    ...(podSelector === undefined ? [] : validateLabelSelector(podSelector, `${path}.podSelector`)),
    ...(namespaceSelector === undefined ? [] : validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`)),
    ...(ipBlock === undefined ? [] : ipBlockErrors(ipBlock, `${path}.ipBlock`)),
  ];
  const peers = [podSelector, namespaceSelector, ipBlock].filter((peer) => peer !== undefined);
  if (peers.length === 0) errors.push(required(path, 'must specify a peer'));
  if (peers.length > 1 && ipBlock !== undefined) {
    errors.push(forbidden(path, 'may not specify both ipBlock and another peer'));
  }
  return errors;
}

const notCidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

function ipBlockErrors({ cidr = '', except = [] }: IPBlock, path: string): FieldError[] {
  if (cidr === '') return [required(`${path}.cidr`)];
  const whole = cidrOf(cidr);
  const errors = cidrErrors(cidr, `${path}.cidr`);
  if (whole === undefined) return errors;
  for (const [index, text] of except.entries()) {
    const part = cidrOf(text);
    const at = `${path}.except[${index}]`;
    errors.push(...cidrErrors(text, at));
    if (part !== undefined && !contains(whole, part)) {
      errors.push(invalid(at, text, 'must be a strict subset of `cidr`'));
    }
  }
  return errors;
}

function cidrErrors(text: string, path: string): FieldError[] {
  const cidr = cidrOf(text);
  if (cidr === undefined) return [invalid(path, text, notCidr)];
  const details = [];
  if (/^::ffff:[\d.]+\//i.test(text)) details.push('must not have an IPv4-mapped IPv6 address');
  else if (text.search(leadingZeros) >= 0) details.push('must not have leading 0s in IP or prefix length');
  else if (!isFirstAddress(cidr)) details.push('must not have bits set beyond the prefix length');
  return details.map((detail) => invalid(path, text, detail));
}

/** Whether the address is the first one of its network. */
function isFirstAddress({ address, family, length }: Cidr): boolean {
  if (length === 0) return /^[0.:]+$/.test(address);
  const bits = bitsOf(address, family);
  return !bits.slice(length).includes('1');
}

function bitsOf(address: string, family: Cidr['family']): string {
  if (family === 'ipv4') return binary(address.split('.'), 10, 8);
  const withoutDots = address.replace(/\d+\.\d+\.\d+\.\d+$/, (dots) => {
    const [a = 0, b = 0, c = 0, d = 0] = dots.split('.').map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [start = '', end] = withoutDots.split('::');
  const before = start === '' ? [] : start.split(':');
  const after = end === undefined || end === '' ? [] : end.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return binary([...before, ...zeros, ...after], 16, 16);
}

function binary(groups: readonly string[], radix: number, width: number): string {
  return groups.map((group) => Number.parseInt(group, radix).toString(2).padStart(width, '0')).join('');
}

/** Of the parts of an IPv4 address and of the length of a prefix. */
const leadingZeros = /(?<=^|[./])0+(?=\d+(?:[./]|$))/g;

interface Cidr {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly length: number;
}

function cidrOf(text: string): Cidr | undefined {
  const [, address = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text.replace(leadingZeros, '')) ?? [];
  const version = isIP(address);
  const length = Number(digits);
  if (version === 0 || length > (version === 4 ? 32 : 128)) return undefined;
  return { address, family: version === 4 ? 'ipv4' : 'ipv6', length };
}

function contains(whole: Cidr, part: Cidr): boolean {
  if (whole.family !== part.family || whole.length >= part.length) return false;
  const list = new BlockList();
  list.addSubnet(whole.address, whole.length, whole.family);
  return list.check(part.address, part.family);
}
