import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Service } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicate,
  type FieldError,
  forbidden,
  GoStruct,
  invalid,
  invalidBy,
  jsonEqual,
  labelKeyErrors,
  notSupported,
  rangeMessage,
  required,
  validateLabels,
} from '../../apimachinery/index.ts';
import { validateChoice, validatePort, validatePortNumber } from '../number-validation.ts';
import { isExternallyAccessible, needsClusterIp, needsHealthCheck } from './service-defaults.ts';

type ServiceSpec = NonNullable<Service['spec']>;

const invalidIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** Source: `validateService`, `pkg/apis/core/validation/validation.go`; the errors in its order. */
export function validateService(spec: ServiceSpec = {}, before?: ServiceSpec): readonly FieldError[] {
  const errors: FieldError[] = [];
  const ports = spec.ports ?? [];
  const headless = isHeadless(spec);
  if (ports.length === 0 && !headless && spec.type !== 'ExternalName') errors.push(required('spec.ports'));
  if (headless && (spec.type === 'LoadBalancer' || spec.type === 'NodePort')) {
    errors.push(invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`));
  }
  if (spec.type === 'ExternalName') errors.push(...validateExternalName(spec));

  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    errors.push(...validateServicePort(port, ports.length > 1, names, `spec.ports[${index}]`));
  }
  errors.push(...validateLabels(spec.selector, 'spec.selector'));
  errors.push(...validateChoice(spec.sessionAffinity, 'spec.sessionAffinity', ['ClientIP', 'None']));
  errors.push(...validateAffinityConfig(spec));
  errors.push(...clusterIpErrors(spec, before));
  for (const [index, address] of (spec.externalIPs ?? []).entries()) {
    errors.push(...validateExternalIp(address, `spec.externalIPs[${index}]`));
  }
  errors.push(...validateChoice(spec.type, 'spec.type', ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']));
  errors.push(...validateNodePortUse(spec));
  errors.push(...validateSourceRanges(spec));
  if (spec.allocateLoadBalancerNodePorts !== undefined && spec.type !== 'LoadBalancer') {
    errors.push(forbidden('spec.allocateLoadBalancerNodePorts', onlyForLoadBalancers));
  }
  errors.push(...validateLoadBalancerClass(spec, undefined), ...validateTrafficPolicies(spec));
  return errors;
}

/** Source: `ValidateServiceUpdate`. */
export function validateServiceUpdate(spec: ServiceSpec = {}, before: ServiceSpec = {}): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (needsClusterIp(spec) && needsClusterIp(before)) {
    const wasHeadless = isHeadless(before);
    if (!(wasHeadless && isHeadless(spec))) errors.push(...validateClusterIpChange(spec, before));
    if (!wasHeadless && !isHeadless(spec)) errors.push(...validateFamilyChange(spec, before));
  }
  errors.push(...validateLoadBalancerClass(spec, before));
  if (
    needsHealthCheck(spec) &&
    needsHealthCheck(before) &&
    (spec.healthCheckNodePort ?? 0) !== (before.healthCheckNodePort ?? 0)
  ) {
    errors.push(forbidden('spec.healthCheckNodePort', 'field is immutable'));
  }
  return [...errors, ...validateService(spec, before)];
}

/** Source: `ValidateLoadBalancerStatus`. */
export function validateServiceStatus({ spec, status }: Service): readonly FieldError[] {
  const path = 'status.loadBalancer.ingress';
  const ingress = status?.loadBalancer?.ingress ?? [];
  if (spec?.type !== 'LoadBalancer' && ingress.length > 0) {
    return [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return ingress.flatMap(({ ip, ipMode, hostname }, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    if (ip && isIP(ip) === 0) errors.push(invalid(`${at}.ip`, ip, invalidIp));
    if (ipMode === undefined) {
      if (ip) errors.push(required(`${at}.ipMode`, 'must be specified when `ip` is set'));
    } else if (!ip) errors.push(forbidden(`${at}.ipMode`, 'may not be specified when `ip` is not set'));
    else if (ipMode !== 'Proxy' && ipMode !== 'VIP') {
      errors.push(notSupported(`${at}.ipMode`, ipMode, ['Proxy', 'VIP']));
    }
    if (hostname) {
      errors.push(...invalidBy(dns1123SubdomainErrors, `${at}.hostname`, hostname));
      if (isIP(hostname) !== 0) {
        errors.push(invalid(`${at}.hostname`, hostname, 'must be a DNS name, not an IP address'));
      }
    }
    return errors;
  });
}

/** Whether addresses, families and their policy go together: also asked before addresses are allocated. */
export function clusterIpErrors(spec: ServiceSpec, _before: ServiceSpec | undefined): FieldError[] {
  if (!needsClusterIp(spec)) return [];
  const errors: FieldError[] = [];
  const path = 'spec.clusterIPs';
  const addresses = spec.clusterIPs ?? [];
  if (spec.clusterIP) {
    if (addresses.length === 0) errors.push(required(path));
    else if (addresses[0] !== spec.clusterIP) {
      errors.push(invalid(path, addresses, 'first value must match `clusterIP`'));
    }
  } else if (addresses.length > 0) {
    errors.push(invalid(path, addresses, 'must be empty when `clusterIP` is not specified'));
  }
  const seen = new Set<string>();
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    const at = `spec.ipFamilies[${index}]`;
    if (family !== 'IPv4' && family !== 'IPv6') errors.push(notSupported(at, family, ['IPv4', 'IPv6']));
    if (seen.has(family)) errors.push(duplicate(at, family));
    seen.add(family);
  }
  const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
  if (spec.ipFamilyPolicy !== undefined && !policies.includes(spec.ipFamilyPolicy)) {
    errors.push(notSupported('spec.ipFamilyPolicy', spec.ipFamilyPolicy, policies));
  }
  let unreadable = false;
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === 'None') {
      if (addresses.length === 1) continue;
      unreadable = true;
      errors.push(invalid(path, addresses, "'None' must be the first and only value"));
    } else if (isIP(address) === 0) {
      unreadable = true;
      errors.push(invalid(`${path}[${index}]`, address, invalidIp));
    }
  }
  if (addresses.length > 2) errors.push(invalid(path, addresses, 'may only hold up to 2 values'));
  if (unreadable) return errors;
  if (addresses.length > 1 && !(addresses.some(isIPv4) && addresses.some(isIPv6))) {
    errors.push(invalid(path, addresses, 'may specify no more than one IP for each IP family'));
  }
  if (isHeadless(spec)) return errors;
  for (const [index, address] of addresses.entries()) {
    const family = spec.ipFamilies?.[index];
    if ((family === 'IPv4' && isIPv6(address)) || (family === 'IPv6' && !isIPv6(address))) {
      const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
      errors.push(invalid(`${path}[${index}]`, address, detail));
    }
  }
  return errors;
}

const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";
const unchangeable = 'may not change once set';

function isHeadless({ clusterIPs }: ServiceSpec): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === 'None';
}

function validateExternalName(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const detail = 'may not be set for ExternalName services';
  if ((spec.clusterIPs ?? []).length > 0) errors.push(forbidden('spec.clusterIPs', detail));
  if ((spec.ipFamilies ?? []).length > 0) errors.push(forbidden('spec.ipFamilies', detail));
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbidden('spec.ipFamilyPolicy', detail));
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') errors.push(required('spec.externalName'));
  else errors.push(...invalidBy(dns1123SubdomainErrors, 'spec.externalName', name));
  return errors;
}

function validateServicePort(
  port: NonNullable<ServiceSpec['ports']>[number],
  needsName: boolean,
  names: Set<string>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const name = port.name ?? '';
  if (name !== '') {
    errors.push(...invalidBy(dns1123LabelErrors, `${path}.name`, name));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
  } else if (needsName) errors.push(required(`${path}.name`));
  errors.push(...validatePortNumber(port.port ?? 0, `${path}.port`));
  errors.push(...validateChoice(port.protocol, `${path}.protocol`, ['SCTP', 'TCP', 'UDP']));
  errors.push(...validatePort(port.targetPort ?? 0, `${path}.targetPort`));
  if (port.appProtocol !== undefined) {
    errors.push(...invalidBy(labelKeyErrors, `${path}.appProtocol`, port.appProtocol));
  }
  return errors;
}

/** A day, in seconds. */
const longestAffinitySeconds = 86_400;

function validateAffinityConfig({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  const path = 'spec.sessionAffinityConfig';
  if (sessionAffinity === 'None' && sessionAffinityConfig !== undefined) {
    return [forbidden(path, 'must not be set when session affinity is None')];
  }
  if (sessionAffinity !== 'ClientIP') return [];
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (seconds === undefined) {
    return [required(path, 'when session affinity type is ClientIP')];
  }
  if (seconds > 0 && seconds <= longestAffinitySeconds) return [];
  const detail = `must be greater than 0 and less than ${longestAffinitySeconds}`;
  return [invalid(`${path}.clientIP.timeoutSeconds`, seconds, detail)];
}

function validateExternalIp(address: string, path: string): FieldError[] {
  if (isIP(address) === 0) return [invalid(path, address, invalidIp)];
  const refused: [RegExp, string][] = [
    [/^0\.0\.0\.0$/, 'may not be unspecified (0.0.0.0)'],
    [/^::$/, 'may not be unspecified (::)'],
    [/^(?:127\.|::1$)/, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    [/^(?:169\.254\.|fe[89ab])/i, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    [/^(?:224\.0\.0\.|ff.2)/i, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
  ];
  return refused.filter(([range]) => range.test(address)).map(([, detail]) => invalid(path, address, detail));
}

function validateNodePortUse({ type, ports = [] }: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { nodePort }] of ports.entries()) {
    if (type === 'ClusterIP' && nodePort) {
      errors.push(forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
    }
  }
  const nodePorts = new Set<string>();
  for (const [index, { protocol, nodePort }] of ports.entries()) {
    if (!nodePort) continue;
    const key = `${protocol}/${nodePort}`;
    if (nodePorts.has(key)) errors.push(duplicate(`spec.ports[${index}].nodePort`, nodePort));
    nodePorts.add(key);
  }
  const numbers = new Set<string>();
  for (const [index, { protocol, port }] of ports.entries()) {
    const key = `${protocol}/${port}`;
    if (numbers.has(key)) errors.push(duplicate(`spec.ports[${index}]`, shownPort(protocol, port)));
    numbers.add(key);
  }
  return errors;
}

/** What two ports have in common, as Go's internal type has it. */
function shownPort(protocol: string | undefined, port: number): GoStruct {
  return new GoStruct({
    Name: '',
    Protocol: protocol ?? null,
    AppProtocol: null,
    Port: port,
    TargetPort: 0,
    NodePort: 0,
  });
}

function validateSourceRanges({ type, loadBalancerSourceRanges = [] }: ServiceSpec): FieldError[] {
  const path = 'spec.LoadBalancerSourceRanges';
  const errors: FieldError[] = [];
  if (loadBalancerSourceRanges.length > 0 && type !== 'LoadBalancer') {
    errors.push(forbidden(path, onlyForLoadBalancers));
  }
  for (const [index, text] of loadBalancerSourceRanges.entries()) {
    const range = text.trim();
    if (isCidr(range)) continue;
    errors.push(invalid(`${path}[${index}]`, range, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'));
  }
  return errors;
}

/** Whether the text is an address with the length of a prefix, such as `10.0.0.0/8`. */
function isCidr(text: string): boolean {
  const [address = '', length = '', ...more] = text.split('/');
  const family = isIP(address);
  return more.length === 0 && family !== 0 && /^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128);
}

function validateLoadBalancerClass(spec: ServiceSpec, before: ServiceSpec | undefined): FieldError[] {
  const path = 'spec.loadBalancerClass';
  const name = spec.loadBalancerClass;
  const errors: FieldError[] = [];
  if (before?.type === 'LoadBalancer' && spec.type === 'LoadBalancer' && name !== before.loadBalancerClass) {
    errors.push(invalid(path, name ?? null, unchangeable));
  }
  if (name === undefined) return errors;
  if (spec.type === 'LoadBalancer') errors.push(...invalidBy(labelKeyErrors, path, name));
  else errors.push(forbidden(path, onlyForLoadBalancers));
  return errors;
}

function validateTrafficPolicies(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const external = spec.externalTrafficPolicy;
  if (isExternallyAccessible(spec)) {
    errors.push(...validateChoice(external, 'spec.externalTrafficPolicy', ['Cluster', 'Local']));
  } else if (external) {
    const detail = 'may only be set for externally-accessible services';
    errors.push(invalid('spec.externalTrafficPolicy', external, detail));
  }
  const port = spec.healthCheckNodePort ?? 0;
  if (needsHealthCheck(spec)) {
    if (port === 0) errors.push(required('spec.healthCheckNodePort'));
    else if (port < 1 || port > 65535) {
      errors.push(invalid('spec.healthCheckNodePort', port, rangeMessage(1, 65535)));
    }
  } else if (port !== 0) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalid('spec.healthCheckNodePort', port, detail));
  }
  const internal = spec.internalTrafficPolicy;
  if (internal !== undefined || spec.type !== 'ExternalName') {
    errors.push(...validateChoice(internal, 'spec.internalTrafficPolicy', ['Cluster', 'Local']));
  }
  const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  const { trafficDistribution } = spec;
  if (trafficDistribution !== undefined && !distributions.includes(trafficDistribution)) {
    errors.push(notSupported('spec.trafficDistribution', trafficDistribution, distributions));
  }
  return errors;
}

function validateClusterIpChange(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  const now = spec.clusterIPs ?? [];
  const then = before.clusterIPs ?? [];
  if (now.length === then.length) {
    return then.flatMap((address, index) =>
      address === now[index] ? [] : [invalid(`spec.clusterIPs[${index}]`, now, unchangeable)],
    );
  }
  const errors: FieldError[] = [];
  if (now.length === 0) {
    errors.push(invalid('spec.clusterIPs[0]', null, 'primary clusterIP can not be unset'));
  } else if (then.length > 0 && now[0] !== then[0]) errors.push(invalid('spec.clusterIPs[0]', now, unchangeable));
  if (now.length === 1 && then.length > 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    const detail = "must be set to 'SingleStack' when releasing the secondary clusterIP";
    errors.push(invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy ?? null, detail));
  }
  return errors;
}

function validateFamilyChange(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  const now = spec.ipFamilies ?? [];
  const then = before.ipFamilies ?? [];
  if (jsonEqual(now, then)) return [];
  if (now.length === then.length || (now.length > 0 && then.length > 0 && now[0] !== then[0])) {
    return [invalid('spec.ipFamilies[0]', now, unchangeable)];
  }
  if (now.length === 1 && then.length > 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    const detail = "must be set to 'SingleStack' when releasing the secondary ipFamily";
    return [invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy ?? null, detail)];
  }
  return [];
}
