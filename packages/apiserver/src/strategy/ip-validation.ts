import { isIP, isIPv4 } from 'node:net';
import { type FieldError, goQuote, invalid } from '../apimachinery/index.ts';

const notIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** Of the parts of an IPv4 address. */
const leadingZeros = /(?<=^|[.:])0+(?=\d+(?:\.|$))/g;

/** An address without leading zeros in its IPv4 parts, as `ParseIPSloppy` reads it; undefined if it is invalid. */
export function sloppyIp(text: string): string | undefined {
  const plain = text.includes('.') ? text.replaceAll(leadingZeros, '') : text;
  return isIP(plain) === 0 || plain.includes('%') ? undefined : plain;
}

/** Validates an address of a field from before strict validation (`IsValidIPForLegacyField`). */
export function validateLegacyIp(text: string, path: string): FieldError[] {
  const plain = sloppyIp(text);
  if (plain === undefined) return [invalid(path, text, notIp)];
  const errors: FieldError[] = [];
  if (plain !== text) errors.push(invalid(path, text, 'must not have leading 0s'));
  else if (/^(?:0*:)+(?:ffff:)(?:\d+\.|[0-9a-f]+:[0-9a-f]+$)/i.test(text)) {
    errors.push(invalid(path, text, 'must not be an IPv4-mapped IPv6 address'));
  }
  return errors;
}

/** Returns the warnings about a valid address of a field from before strict validation (`GetWarningsForIP`). */
export function ipWarnings(text: string, path: string): string[] {
  const plain = sloppyIp(text);
  if (plain === undefined || isIPv4(text)) return [];
  const canonical = isIPv4(plain) ? plain : canonicalIp(plain);
  if (plain !== text || canonical.startsWith('::ffff:')) {
    const address = canonical.replace(/^::ffff:/, '');
    return [`${path}: non-standard IP address ${goQuote(text)} is invalid: use ${goQuote(address)}`];
  }
  if (canonical === text) return [];
  return [`${path}: IPv6 address ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(canonical)})`];
}

/** Validates an address of a new field, which must be in canonical form (`IsValidIP`). */
export function validateIp(text: string, path: string): FieldError[] {
  const errors = validateLegacyIp(text, path);
  if (errors.length > 0) return errors;
  const canonical = canonicalIp(text);
  return text === canonical ? [] : [invalid(path, text, `must be in canonical form (${JSON.stringify(canonical)})`)];
}

/** The address as Go prints it. */
function canonicalIp(text: string): string {
  if (isIPv4(text)) return text;
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** Rejects addresses that no endpoint can have (`ValidateEndpointIP`). */
export function validateEndpointIp(text: string, path: string): FieldError[] {
  const plain = sloppyIp(text);
  if (plain === undefined) return [invalid(path, text, 'must be a valid IP address')];
  const address = isIPv4(plain) ? plain : canonicalIp(plain);
  const details = [];
  if (address === '0.0.0.0' || address === '::') details.push(`may not be unspecified (${text})`);
  if (/^127\./.test(address) || address === '::1') {
    details.push('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  }
  if (/^169\.254\./.test(address) || /^fe[89ab][0-9a-f]:/.test(address)) {
    details.push('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  if (/^224\.0\.0\./.test(address) || /^ff[0-9a-f]2:/.test(address)) {
    details.push('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
  return details.map((detail) => invalid(path, text, detail));
}
