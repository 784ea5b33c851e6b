import { BlockList, isIP } from 'node:net';
import { type FieldError, invalid } from '../apimachinery/index.ts';

const notCidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** Validates a range of a field from before strict validation (`IsValidCIDRForLegacyField`). */
export function cidrErrors(text: string, path: string): FieldError[] {
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

/** A range of addresses. */
export interface Cidr {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly length: number;
}

/** Reads a range, as `ParseCIDRSloppy` does; undefined if it is invalid. */
export function cidrOf(text: string): Cidr | undefined {
  const [, address = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text.replace(leadingZeros, '')) ?? [];
  const version = isIP(address);
  const length = Number(digits);
  if (version === 0 || length > (version === 4 ? 32 : 128)) return undefined;
  return { address, family: version === 4 ? 'ipv4' : 'ipv6', length };
}

/** Whether a range is a strict part of another. */
export function containsCidr(whole: Cidr, part: Cidr): boolean {
  if (whole.family !== part.family || whole.length >= part.length) return false;
  const list = new BlockList();
  list.addSubnet(whole.address, whole.length, whole.family);
  return list.check(part.address, part.family);
}
