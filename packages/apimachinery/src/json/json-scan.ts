/**
 * Steps over JSON text as bytes without decoding it. Every function takes where to begin and gives where it ended, or
 * {@link malformed} where the text is not what it must be there; what was stepped over is not fully checked. UTF-8 keeps
 * every byte of a longer character above 127, so that ASCII can be looked for byte by byte.
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

/** The first byte from `at` that is not white space; the length of the text where there is none. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  for (; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
  }
  return next;
}

/** Behind the string that begins with the quote at `at`. */
export function skipString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== quote) return malformed;
  for (let next = at + 1; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === quote) return next + 1;
    if (byte === backslash) next++;
  }
  return malformed;
}

/** Behind the value that begins at `at`. */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === quote) return skipString(bytes, at);
  if (first !== openBrace && first !== openBracket) return skipScalar(bytes, at);
  let depth = 0;
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === quote) {
      // The loop of skipString, in place: most of a document is strings.
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

/** Where one member of an object stands: its key with the quotes, and the beginning of its value. */
export interface Member {
  keyStart: number;
  keyEnd: number;
  valueStart: number;
}

/**
 * Calls `visit` with each member of the object that begins at `at`, before its value is stepped over, until it gives
 * false. The {@link Member} is the same one each time. Gives where the object ends; where `visit` ended it, the beginning
 * of that value.
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

/** The elements of the array that begins at `at`, as views of the text. Ends early where it is malformed. */
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

/** Whether the key of `member` is `key`, written with its quotes as bytes and without escapes. */
export function keyIs(bytes: Uint8Array, member: Member, key: Uint8Array): boolean {
  if (member.keyEnd - member.keyStart !== key.length) return false;
  for (let at = 0; at < key.length; at++) if (bytes[member.keyStart + at] !== key[at]) return false;
  return true;
}
