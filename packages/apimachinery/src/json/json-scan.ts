/**
 * Skips parts of JSON text as bytes, without decoding it. Every function takes the index where a part starts and
 * returns the index after its end, or {@link malformed} if the text is not the expected part. Skipped text is not fully
 * checked. In UTF-8, every byte of a multi-byte character is above 127, so ASCII can be searched byte by byte.
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

/** Returns the index of the first byte from `at` that is not white space, or the length of the text. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  for (; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
  }
  return next;
}

/** Returns the index after the string whose opening quote is at `at`. */
export function skipString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== quote) return malformed;
  for (let next = at + 1; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === quote) return next + 1;
    if (byte === backslash) next++;
  }
  return malformed;
}

/** Returns the index after the value that starts at `at`. */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === quote) return skipString(bytes, at);
  if (first !== openBrace && first !== openBracket) return skipScalar(bytes, at);
  let depth = 0;
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === quote) {
      // The loop of skipString, inlined because strings are most of a document.
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

/** The position of one member of an object: its key with the quotes, and the start of its value. */
export interface Member {
  keyStart: number;
  keyEnd: number;
  valueStart: number;
}

/**
 * Calls `visit` with each member of the object that starts at `at`, before the member's value is skipped, until it
 * returns false. All calls get the same {@link Member} object. Returns the index after the object or, if `visit`
 * returned false, the start of that member's value.
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

/**
 * Yields the elements of the array that starts at `at`, as views of the text. Stops early if the array is malformed.
 */
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

/** Whether the key of `member` is `key`, given as bytes with its quotes and without escapes. */
export function keyIs(bytes: Uint8Array, member: Member, key: Uint8Array): boolean {
  if (member.keyEnd - member.keyStart !== key.length) return false;
  for (let at = 0; at < key.length; at++) if (bytes[member.keyStart + at] !== key[at]) return false;
  return true;
}
