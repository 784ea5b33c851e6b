import { isIPv4, isIPv6 } from 'node:net';
import type { EndpointSlice, Endpoints } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicate,
  type FieldError,
  invalid,
  invalidBy,
  jsonEqual,
  labelKeyErrors,
  labelValueErrors,
  notSupported,
  required,
  tooMany,
} from '../../apimachinery/index.ts';
import { sloppyIp, validateEndpointIp, validateIp, validateLegacyIp } from '../ip-validation.ts';
import { validateChoice, validatePortNumber } from '../number-validation.ts';

type Subset = NonNullable<Endpoints['subsets']>[number];
type SubsetAddress = NonNullable<Subset['addresses']>[number];
type SubsetPort = NonNullable<Subset['ports']>[number];
type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];

const protocols = ['SCTP', 'TCP', 'UDP'];

/** Source: `ValidateEndpoints`, `pkg/apis/core/validation/validation.go`. Unchanged subsets are accepted. */
export function validateEndpoints({ subsets = [] }: Endpoints, old?: Endpoints): readonly FieldError[] {
  if (old !== undefined && jsonEqual(old.subsets ?? [], subsets)) return [];
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, index) => {
    const path = `subsets[${index}]`;
    return [
      ...(addresses.length + notReadyAddresses.length === 0
        ? [required(path, 'must specify `addresses` or `notReadyAddresses`')]
        : []),
      ...addresses.flatMap((one, place) => validateAddress(one, `${path}.addresses[${place}]`)),
      ...notReadyAddresses.flatMap((one, place) => validateAddress(one, `${path}.notReadyAddresses[${place}]`)),
      ...ports.flatMap((one, place) => validatePort(one, ports.length > 1, `${path}.ports[${place}]`)),
    ];
  });
}

function validateAddress({ ip = '', hostname = '', nodeName }: SubsetAddress, path: string): FieldError[] {
  return [
    ...validateLegacyIp(ip, `${path}.ip`),
    ...(hostname === '' ? [] : invalidBy(dns1123LabelErrors, `${path}.hostname`, hostname)),
    ...(nodeName === undefined ? [] : invalidBy(dns1123SubdomainErrors, `${path}.nodeName`, nodeName)),
    ...validateEndpointIp(ip, `${path}.ip`),
  ];
}

function validatePort(
  { name = '', port = 0, protocol, appProtocol }: SubsetPort,
  needsName: boolean,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (needsName && name === '') errors.push(required(`${path}.name`));
  else if (name !== '') errors.push(...invalidBy(dns1123LabelErrors, `${path}.name`, name));
  errors.push(...validatePortNumber(port, `${path}.port`), ...validateChoice(protocol, `${path}.protocol`, protocols));
  if (appProtocol !== undefined) errors.push(...invalidBy(labelKeyErrors, `${path}.appProtocol`, appProtocol));
  return errors;
}

const endpointsMax = 1000;
const addressesMax = 100;
const portsMax = 20_000;
const topologyLabelsMax = 16;
const hintsMax = 8;
const addressTypes = ['FQDN', 'IPv4', 'IPv6'];

/** Source: `ValidateEndpointSlice`, `pkg/apis/discovery/validation/validation.go`. Unchanged endpoints are accepted. */
export function validateEndpointSlice(slice: EndpointSlice, old?: EndpointSlice): FieldError[] {
  const type: string = slice.addressType ?? '';
  const errors = [...validateChoice(type, 'addressType', addressTypes), ...validateSlicePorts(slice.ports ?? [])];
  const endpoints = slice.endpoints ?? [];
  if (old !== undefined && jsonEqual(old.endpoints ?? [], endpoints)) return errors;
  if (endpoints.length > endpointsMax) return [...errors, tooMany('endpoints', endpoints.length, endpointsMax)];
  return [...errors, ...endpoints.flatMap((one, index) => validateEndpoint(one, type, `endpoints[${index}]`))];
}

function validateSlicePorts(ports: NonNullable<EndpointSlice['ports']>): FieldError[] {
  if (ports.length > portsMax) return [tooMany('ports', ports.length, portsMax)];
  const names = new Set<string>();
  return ports.flatMap(({ name = '', protocol, appProtocol }, index) => {
    const path = `ports[${index}]`;
    const errors = name === '' ? [] : invalidBy(dns1123LabelErrors, `${path}.name`, name);
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    if (protocol === undefined) errors.push(required(`${path}.protocol`));
    else if (!protocols.includes(protocol)) errors.push(notSupported(`${path}.protocol`, protocol, protocols));
    if (appProtocol !== undefined) errors.push(...invalidBy(labelKeyErrors, `${path}.appProtocol`, appProtocol));
    return errors;
  });
}

function validateEndpoint(endpoint: Endpoint, type: string, path: string): FieldError[] {
  const { nodeName, hostname, deprecatedTopology = {}, hints } = endpoint;
  const addresses = endpoint.addresses ?? [];
  const at = `${path}.addresses`;
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(at, 'must contain at least 1 address'));
  else if (addresses.length > addressesMax) errors.push(tooMany(at, addresses.length, addressesMax));
  for (const [index, address] of addresses.entries()) {
    errors.push(...validateSliceAddress(address, type, at, `${at}[${index}]`));
  }
  if (nodeName !== undefined) errors.push(...invalidBy(dns1123SubdomainErrors, `${path}.nodeName`, nodeName));
  const labels = Object.keys(deprecatedTopology).length;
  if (labels > topologyLabelsMax) errors.push(tooMany(`${path}.deprecatedTopology`, labels, topologyLabelsMax));
  if (hostname !== undefined) errors.push(...invalidBy(dns1123LabelErrors, `${path}.hostname`, hostname));
  return [...errors, ...validateHints(hints, `${path}.hints`)];
}

function validateSliceAddress(address: string, type: string, list: string, path: string): FieldError[] {
  if (type === 'FQDN') return validateDomain(address, path);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = type === 'IPv4' ? validateLegacyIp(address, path) : validateIp(address, path);
  if (errors.length > 0) return errors;
  const isOfType = type === 'IPv4' ? isIPv4 : isIPv6;
  if (!isOfType(sloppyIp(address) ?? '')) errors.push(invalid(list, address, `must be an ${type} address`));
  return [...errors, ...validateEndpointIp(address, path)];
}

/** Source: `IsFullyQualifiedDomainName`, apimachinery `pkg/util/validation`. */
function validateDomain(text: string, path: string): FieldError[] {
  if (text === '') return [required(path)];
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const errors = dns1123SubdomainErrors(name);
  if (errors.length > 0) return [invalid(path, name, errors.join(','))];
  const labels = name.split('.');
  if (labels.length < 2) {
    return [invalid(path, name, 'should be a domain with at least two segments separated by dots')];
  }
  const wrong = labels.find((label) => dns1123LabelErrors(label).length > 0);
  return wrong === undefined ? [] : [invalid(path, wrong, dns1123LabelErrors(wrong).join(','))];
}

function validateHints(hints: Endpoint['hints'], path: string): FieldError[] {
  const { forZones = [], forNodes = [] } = hints ?? {};
  const errors: FieldError[] = [];
  const lists = [
    ['forZones', forZones, labelValueErrors],
    ['forNodes', forNodes, dns1123SubdomainErrors],
  ] as const;
  for (const [field, list, rule] of lists) {
    const at = `${path}.${field}`;
    if (list.length > hintsMax) return [...errors, tooMany(at, list.length, hintsMax)];
    const names = new Set<string>();
    for (const [index, { name = '' }] of list.entries()) {
      if (names.has(name)) errors.push(duplicate(`${at}[${index}].name`, name));
      names.add(name);
      errors.push(...rule(name).map((detail) => invalid(`${at}[${index}].name`, name, detail)));
    }
  }
  return errors;
}
