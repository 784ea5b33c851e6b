import { isDns1123Label, isDns1123Subdomain } from '../apimachinery.ts';
import { isCidr, isIpv4, isIpv6, isMac } from './address.ts';
import { isDate, isDateTime } from './date-time.ts';
import { durationNanoseconds } from './duration.ts';
import { isEmail } from './email.ts';
import { isRequestUri } from './url.ts';

/** Whether a string has the format. */
export type TextFormat = (text: string) => boolean;

// Go's \\s. Adjacent parts never match the same characters, so matching is linear even without RE2.
const space = '[\\t\\n\\f\\r ]*';
const rgb = `${space}(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])${space}`;

/**
 * Every string format that the API server enforces, by its name without dashes (kube-openapi pkg/validation/strfmt and its
 * third_party/govalidator; apiextensions-apiserver pkg/apiserver/validation/formats.go).
 */
const formats: ReadonlyMap<string, TextFormat> = new Map([
  ['bsonobjectid', matches(/^[0-9a-fA-F]{24}$/)],
  ['byte', isBase64],
  ['cidr', isCidr],
  ['creditcard', isCreditCard],
  ['date', isDate],
  ['datetime', isDateTime],
  ['duration', (text: string) => durationNanoseconds(text) !== undefined],
  ['email', isEmail],
  ['hexcolor', matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['isbn', (text: string) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['k8slongname', isDns1123Subdomain],
  ['k8sshortname', isDns1123Label],
  ['mac', isMac],
  ['password', () => true],
  ['rgbcolor', matches(new RegExp(`^rgb\\(${rgb},${rgb},${rgb}\\)$`))],
  ['ssn', (text: string) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['uri', isRequestUri],
  ['uuid', isUuid],
  ['uuid3', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
]);

/** The check of a string format; undefined if the API server does not know it. Dashes in names are ignored. */
export function textFormat(name: string): TextFormat | undefined {
  return formats.get(name.replaceAll('-', ''));
}

/** The format as the API server reads it: the empty string if it is not enforced for these types. */
export function enforcedFormat(format: string, types: readonly string[]): string {
  const type = types.length === 1 ? types[0] : '';
  switch (type) {
    case '':
    case 'string':
      return textFormat(format) === undefined ? '' : format;
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : '';
    case 'number':
      return format === 'float' || format === 'double' ? format : '';
    default:
      return '';
  }
}

function matches(pattern: RegExp): TextFormat {
  return (text) => pattern.test(text);
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text);
}

export function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

const label = '[a-zA-Z0-9\\p{S}\\p{L}]';
const singleLabel = new RegExp(`^${label}(?:-?(?:${label}){0,62})$`, 'u');
const innerLabel = new RegExp(`^${label}(?:[-a-zA-Z0-9\\p{S}\\p{L}]{0,61}${label})?$`, 'u');
const topLabel = /^[a-zA-Z\p{L}]{2,63}$/u;

/** One label with at most one dash as its second character, or several labels with a top-level domain of letters. */
function isHostname(text: string): boolean {
  const parts = text.split('.');
  const last = parts.at(-1) ?? '';
  const isName =
    parts.length === 1 ? singleLabel.test(text) : topLabel.test(last) && parts.slice(0, -1).every(matches(innerLabel));
  return isName && Buffer.byteLength(text) <= 255 && parts.every((part) => Buffer.byteLength(part) <= 63);
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = [...digits.slice(0, 12)].reduce(
    (total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const cardNumber =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!cardNumber.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
