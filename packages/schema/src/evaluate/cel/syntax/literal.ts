const simpleEscapes = new Map([
  ['a', 0x07],
  ['b', 0x08],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
  ['\\', 0x5c],
  ["'", 0x27],
  ['"', 0x22],
  ['`', 0x60],
  ['?', 0x3f],
]);

/** The value of a string literal token. Throws an Error with upstream's message if an escape is not allowed. */
export function unquoteString(literal: string): string {
  let result = '';
  for (const part of parts(literal, false)) result += typeof part === 'string' ? part : String.fromCodePoint(part);
  return result;
}

/** The value of a bytes literal token (with its `b`): characters are UTF-8, `\x` and octal escapes are single bytes. */
export function unquoteBytes(literal: string): Uint8Array {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const part of parts(literal.slice(1), true)) {
    if (typeof part === 'number') bytes.push(part);
    else for (const byte of encoder.encode(part)) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

/** Runs of plain characters, and the numbers of escape sequences (cel-go v0.26 `parser/unescape.go`). */
function* parts(literal: string, isBytes: boolean): Generator<string | number> {
  let text = literal.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const raw = text[0] === 'r' || text[0] === 'R';
  if (raw) text = text.slice(1);
  const quoteLength = text.length >= 6 && (text.startsWith('"""') || text.startsWith("'''")) ? 3 : 1;
  text = text.slice(quoteLength, -quoteLength);
  if (raw) {
    yield text;
    return;
  }
  let at = 0;
  while (at < text.length) {
    const backslash = text.indexOf('\\', at);
    if (backslash === -1) {
      yield text.slice(at);
      return;
    }
    if (backslash > at) yield text.slice(at, backslash);
    const marker = text[backslash + 1] ?? '';
    const simple = simpleEscapes.get(marker);
    if (simple !== undefined) {
      yield simple;
      at = backslash + 2;
      continue;
    }
    if (isBytes && (marker === 'u' || marker === 'U')) throw new Error('unable to unescape string');
    const octal = marker >= '0' && marker <= '3';
    const digits = octal ? 3 : marker === 'u' ? 4 : marker === 'U' ? 8 : 2;
    const start = backslash + (octal ? 1 : 2);
    const value = Number.parseInt(text.slice(start, start + digits), octal ? 8 : 16);
    if (!isBytes && (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))) {
      throw new Error('invalid unicode code point');
    }
    yield value;
    at = start + digits;
  }
}
