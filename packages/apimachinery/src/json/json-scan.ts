/**
 * Scans the bytes of JSON without decoding them. Each function gets a start position and returns the end position, or
 * {@link malformed} if the bytes are not the expected ones. Skipped values are not fully checked. All bytes of a longer UTF-8
 * character are above 127, so ASCII characters can be found byte by byte.
 */
export const malformed = -1;

export const quote = 0x22;
export const backslash = 0x5c;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const comma = 0x2c;
export const colon = 0x3a;

/** Returns the position of the first byte from `at` that is not white space; the length of the bytes if there is none. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  for (; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
  }
  return next;
}

/** Returns the position after the string that starts with the quote at `at`. */
export function skipString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== quote) return malformed;
  for (let next = at + 1; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === quote) return next + 1;
    if (byte === backslash) next++;
  }
  return malformed;
}

/** Whether the arrays and objects of a document are nested deeper than `levels`. The bytes may be malformed. */
export function isDeeperThan(bytes: Uint8Array, levels: number): boolean {
  if (bytes.length <= levels) return false;
  let depth = 0;
  for (let next = 0; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === quote) {
      for (next++; next < bytes.length && bytes[next] !== quote; next++) if (bytes[next] === backslash) next++;
    } else if (byte === openBrace || byte === openBracket) {
      if (++depth > levels) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return false;
}

/** Returns the position after the value that starts at `at`. */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === quote) return skipString(bytes, at);
  if (first !== openBrace && first !== openBracket) return skipScalar(bytes, at);
  let depth = 0;
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === quote) {
      // The loop of skipString, inlined because most of a document is strings.
      for (next++; bytes[next] !== quote; next++) {
        if (next >= bytes.length) return malformed;
        if (bytes[next] === backslash) next++;
      }
    } else if (byte === openBrace || byte === openBracket) depth++;
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return next + 1;
  }
  return malformed;
}

function skipScalar(bytes: Uint8Array, at: number): number {
  let next = at;
  for (; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === comma || byte === closeBrace || byte === closeBracket) break;
  }
  return next === at ? malformed : next;
}

/** The position of a member of an object: its key with the quotes, and the start of its value. */
export interface Member {
  keyStart: number;
  keyEnd: number;
  valueStart: number;
}

/**
 * Calls `visit` for each member of the object that starts at `at`, before it skips the value, until `visit` returns false. The
 * {@link Member} object is reused. Returns the end of the object, or the start of the value at which `visit` returned false.
 */
export function scanObject(bytes: Uint8Array, at: number, visit: (member: Member) => boolean): number {
  if (bytes[at] !== openBrace) return malformed;
  const member: Member = { keyStart: 0, keyEnd: 0, valueStart: 0 };
  let next = skipSpace(bytes, at + 1);
  if (bytes[next] === closeBrace) return next + 1;
  for (;;) {
    member.keyStart = next;
    member.keyEnd = skipString(bytes, next);
    if (member.keyEnd === malformed) return malformed;
    next = skipSpace(bytes, member.keyEnd);
    if (bytes[next] !== colon) return malformed;
    member.valueStart = skipSpace(bytes, next + 1);
    if (!visit(member)) return member.valueStart;
    const valueEnd = skipValue(bytes, member.valueStart);
    if (valueEnd === malformed) return malformed;
    next = skipSpace(bytes, valueEnd);
    if (bytes[next] === closeBrace) return next + 1;
    if (bytes[next] !== comma) return malformed;
    next = skipSpace(bytes, next + 1);
  }
}

/** Yields the elements of the array that starts at `at`, as views of the bytes. Ends early if the array is malformed. */
export function* scanArray(bytes: Buffer, at: number): Generator<Buffer, boolean, undefined> {
  if (bytes[at] !== openBracket) return false;
  let next = skipSpace(bytes, at + 1);
  if (bytes[next] === closeBracket) return true;
  for (;;) {
    const end = skipValue(bytes, next);
    if (end === malformed) return false;
    yield bytes.subarray(next, end);
    next = skipSpace(bytes, end);
    if (bytes[next] === closeBracket) return true;
    if (bytes[next] !== comma) return false;
    next = skipSpace(bytes, next + 1);
  }
}

/** Reports whether the key of `member` is `key`, which is given as bytes with its quotes and without escapes. */
export function keyIs(bytes: Uint8Array, member: Member, key: Uint8Array): boolean {
  if (member.keyEnd - member.keyStart !== key.length) return false;
  for (let at = 0; at < key.length; at++) if (bytes[member.keyStart + at] !== key[at]) return false;
  return true;
}
