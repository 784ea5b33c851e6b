import type { PodSpec } from '@evenkeel/kinds';
import {
  dns1123SubdomainErrors,
  type FieldError,
  invalid,
  invalidBy,
  required,
  underscoreSubdomainErrors,
} from '../../apimachinery/index.ts';
import { validateLegacyIp } from '../ip-validation.ts';

const nameserversMax = 3;
const searchesMax = 32;
const searchBytesMax = 2048;

/** Source: `validatePodDNSConfig`, `pkg/apis/core/validation/validation.go`. */
export function validateDnsConfig({ dnsPolicy, dnsConfig }: PodSpec, path: string): FieldError[] {
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  if (dnsPolicy === 'None' && dnsConfig === undefined) {
    return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  }
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    return [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  const errors: FieldError[] = [];
  const refuse = (list: readonly string[], name: string, detail: string): void => {
    errors.push(invalid(`${path}.${name}`, list, detail));
  };
  if (nameservers.length > nameserversMax) {
    refuse(nameservers, 'nameservers', `must not have more than ${nameserversMax} nameservers`);
  }
  errors.push(...nameservers.flatMap((address, index) => validateLegacyIp(address, `${path}.nameservers[${index}]`)));
  if (searches.length > searchesMax) {
    refuse(searches, 'searches', `must not have more than ${searchesMax} search paths`);
  }
  if (Buffer.byteLength(searches.join(' ')) > searchBytesMax) {
    const detail = `must not have more than ${searchBytesMax} characters (including spaces) in the search list`;
    refuse(searches, 'searches', detail);
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    errors.push(...invalidBy(underscoreSubdomainErrors, `${path}.searches[${index}]`, search.replace(/\.$/, '')));
  }
  for (const [index, { name }] of options.entries()) {
    if (!name) errors.push(required(`${path}.options[${index}]`, 'must not be empty'));
  }
  return errors;
}

/** Source: `ValidateHostAliases`. */
export function validateHostAliases({ hostAliases }: PodSpec, path: string): FieldError[] {
  return (hostAliases ?? []).flatMap(({ ip = '', hostnames = [] }, index) => [
    ...validateLegacyIp(ip, `${path}[${index}].ip`),
    ...hostnames.flatMap((name, position) =>
      invalidBy(dns1123SubdomainErrors, `${path}[${index}].hostnames[${position}]`, name),
    ),
  ]);
}
