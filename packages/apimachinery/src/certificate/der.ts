/**
 * Encodes a value by the Distinguished Encoding Rules (ITU-T X.690): a tag, a length and the content. This file has only the
 * types that certificates need.
 */
function value(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length: number[] = [];
  for (let rest = body.length; rest > 0; rest >>>= 8) length.unshift(rest & 255);
  return Buffer.concat([Buffer.from([tag, 128 | length.length, ...length]), body]);
}

export const sequence = (...members: readonly Uint8Array[]): Buffer => value(0x30, ...members);
export const set = (...members: readonly Uint8Array[]): Buffer => value(0x31, ...members);
export const octetString = (content: Uint8Array): Buffer => value(0x04, content);
export const utf8String = (text: string): Buffer => value(0x0c, Buffer.from(text, 'utf8'));
export const printableString = (text: string): Buffer => value(0x13, Buffer.from(text, 'ascii'));
export const boolean = (truth: boolean): Buffer => value(0x01, Buffer.from([truth ? 255 : 0]));
/** A member that its number identifies. */
export const explicit = (number: number, member: Uint8Array): Buffer => value(0xa0 | number, member);
export const implicit = (number: number, content: Uint8Array): Buffer => value(0x80 | number, content);

/** A non-negative integer, most significant byte first. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const trimmed = bytes.subarray(start);
  const isNegative = ((trimmed[0] ?? 0) & 128) !== 0;
  return value(0x02, isNegative ? Buffer.concat([Buffer.from([0]), trimmed]) : trimmed);
}

/** A bit string of whole bytes, except that the last `unused` bits of the last byte do not count. */
export const bitString = (content: Uint8Array, unused = 0): Buffer => value(0x03, Buffer.from([unused]), content);

/** An object identifier in dotted form, such as `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of others) {
    const groups = [arc & 127];
    for (let rest = arc >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 127) | 128);
    bytes.push(...groups);
  }
  return value(0x06, Buffer.from(bytes));
}

/** A UTC time with seconds. Years up to 2049 have two digits, as RFC 5280 section 4.1.2.5 requires. */
export function time(date: Date): Buffer {
  const text = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  return date.getUTCFullYear() < 2050 ? value(0x17, Buffer.from(text.slice(2))) : value(0x18, Buffer.from(text));
}
