/** One value of the Distinguished Encoding Rules (ITU-T X.690). */
export interface DerValue {
  readonly tag: number;
  /** The content, without tag and length. */
  readonly content: Buffer;
  /** The whole value. */
  readonly bytes: Buffer;
}

/** The values that follow each other in bytes. Throws an Error with a reason of Go's `encoding/asn1` if they are malformed. */
export function readDer(bytes: Buffer): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const value = derAt(bytes, at);
    values.push(value);
    at += value.bytes.length;
  }
  return values;
}

/** The value that starts at a position. */
export function derAt(bytes: Buffer, start: number): DerValue {
  const [tag, first] = [bytes[start], bytes[start + 1]];
  if (tag === undefined || first === undefined || (tag & 31) === 31) throw truncated('truncated tag or length');
  let at = start + 2;
  let length = first;
  if (first > 127) {
    const count = first & 127;
    if (count === 0 || count > 4 || at + count > bytes.length) throw truncated('truncated tag or length');
    length = bytes.readUIntBE(at, count);
    at += count;
  }
  if (at + length > bytes.length) throw truncated('data truncated');
  return { tag, content: bytes.subarray(at, at + length), bytes: bytes.subarray(start, at + length) };
}

function truncated(why: string): Error {
  return new Error(`asn1: syntax error: ${why}`);
}

/** The dotted form of an object identifier. */
export function identifierOf({ content }: DerValue): string {
  const [first = 0, ...rest] = content;
  const arcs = first < 80 ? [Math.floor(first / 40), first % 40] : [2, first - 80];
  let arc = 0;
  for (const byte of rest) {
    arc = arc * 128 + (byte & 127);
    if (byte > 127) continue;
    arcs.push(arc);
    arc = 0;
  }
  return arcs.join('.');
}
