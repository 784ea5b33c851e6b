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
import { cidrErrors, cidrOf, containsCidr } from '../cidr-validation.ts';
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

function ipBlockErrors({ cidr = '', except = [] }: IPBlock, path: string): FieldError[] {
  if (cidr === '') return [required(`${path}.cidr`)];
  const whole = cidrOf(cidr);
  const errors = cidrErrors(cidr, `${path}.cidr`);
  if (whole === undefined) return errors;
  for (const [index, text] of except.entries()) {
    const part = cidrOf(text);
    const at = `${path}.except[${index}]`;
    errors.push(...cidrErrors(text, at));
    if (part !== undefined && !containsCidr(whole, part)) {
      errors.push(invalid(at, text, 'must be a strict subset of `cidr`'));
    }
  }
  return errors;
}
