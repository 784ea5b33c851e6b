import { goQuote } from '../apimachinery.ts';
/** A parsed address, or the reason why the string is invalid. */
export type ParsedAddress =
  | { readonly bytes: readonly number[]; readonly zone?: string }
  | { readonly problem: string };

/** The reason why the string is invalid, with the invalid part if that helps. */
class AddressProblem {
  readonly message: string;
  readonly at: string;

  constructor(message: string, at = '') {
    this.message = message;
    this.at = at;
  }
}

/** Parses an IPv4 or IPv6 address with the rules and error messages of Go's net/netip. */
export function parseAddress(text: string): ParsedAddress {
  try {
    const mark = /[.:%]/.exec(text)?.[0];
    if (mark === '.') return { bytes: parseIpv4(text) };
    if (mark === ':') return parseIpv6(text);
    throw new AddressProblem(mark === '%' ? 'missing IPv6 address' : 'unable to parse IP');
  } catch (error) {
    if (!(error instanceof AddressProblem)) throw error;
    const place = error.at === '' ? '' : ` (at ${goQuote(error.at)})`;
    return { problem: `ParseAddr(${goQuote(text)}): ${error.message}${place}` };
  }
}

/** The canonical form: lower case, without leading zeros, the longest run of zero groups as `::`. */
export function formatAddress(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
  let start = -1;
  let end = -1;
  for (let i = 0; i < 8; i++) {
    let j = i;
    while (j < 8 && groups[j] === 0) j++;
    if (j - i >= 2 && j - i > end - start) [start, end] = [i, j];
  }
  const hex = groups.map((group) => group.toString(16));
  if (start === -1) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(end).join(':')}`;
}

function parseIpv4(text: string): number[] {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? '';
    if (char >= '0' && char <= '9') {
      if (digits === 1 && value === 0) throw new AddressProblem('IPv4 field has octet with leading zero');
      value = value * 10 + Number(char);
      digits++;
      if (value > 255) throw new AddressProblem('IPv4 field has value >255');
    } else if (char === '.') {
      if (i === 0 || i === text.length - 1 || text[i - 1] === '.') {
        throw new AddressProblem('IPv4 field must have at least one digit', text.slice(i));
      }
      if (fields.length === 3) throw new AddressProblem('IPv4 address too long');
      fields.push(value);
      value = 0;
      digits = 0;
    } else {
      throw new AddressProblem('unexpected character', text.slice(i));
    }
  }
  if (fields.length < 3) throw new AddressProblem('IPv4 address too short');
  return [...fields, value];
}

function parseIpv6(text: string): ParsedAddress {
  const percent = text.indexOf('%');
  const zone = percent === -1 ? undefined : text.slice(percent + 1);
  if (zone === '') throw new AddressProblem('zone must be a non-empty string');
  let rest = percent === -1 ? text : text.slice(0, percent);
  const bytes: number[] = [];
  let ellipsis = -1;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
  }
  while (rest !== '' && bytes.length < 16) {
    const group = /^[0-9a-fA-F]*/.exec(rest.slice(0, 6))?.[0] ?? '';
    if (group.length > 4) throw new AddressProblem('each group must have 4 or less digits', rest);
    if (group === '') throw new AddressProblem('each colon-separated field must have at least one digit', rest);
    if (rest[group.length] === '.') {
      bytes.push(...embeddedIpv4(rest, bytes.length, ellipsis));
      rest = '';
      break;
    }
    const value = Number.parseInt(group, 16);
    bytes.push(value >> 8, value & 0xff);
    rest = rest.slice(group.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) throw new AddressProblem('unexpected character, want colon', rest);
    if (rest.length === 1) throw new AddressProblem('colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) throw new AddressProblem('multiple :: in address', rest);
      ellipsis = bytes.length;
      rest = rest.slice(1);
    }
  }
  if (rest !== '') throw new AddressProblem('trailing garbage after address', rest);
  if (bytes.length < 16) {
    if (ellipsis < 0) throw new AddressProblem('address string too short');
    bytes.splice(ellipsis, 0, ...new Array<number>(16 - bytes.length).fill(0));
  } else if (ellipsis >= 0) {
    throw new AddressProblem('the :: must expand to at least one field of zeros');
  }
  return zone === undefined ? { bytes } : { bytes, zone };
}

function embeddedIpv4(text: string, before: number, ellipsis: number): number[] {
  if (ellipsis < 0 && before !== 12) {
    throw new AddressProblem('embedded IPv4 address must replace the final 2 fields of the address', text);
  }
  if (before + 4 > 16) {
    throw new AddressProblem('too many hex fields to fit an embedded IPv4 at the end of the address', text);
  }
  return parseIpv4(text);
}
