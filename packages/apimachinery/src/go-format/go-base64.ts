const alphabet = /[A-Za-z0-9+/]/;
const usual = /^[A-Za-z0-9+/]*={0,2}$/;

/** Base64 that Go rejects. The message is Go's. */
export class Base64Error extends Error {
  override readonly name = 'Base64Error';

  constructor(at: number) {
    super(`illegal base64 data at input byte ${at}`);
  }
}

/**
 * Decodes base64 as Go's `base64.StdEncoding`: with padding, and with line breaks anywhere. Throws {@link Base64Error}.
 */
export function decodeBase64(text: string): Buffer {
  if (text.length % 4 !== 0 || !usual.test(text)) checkBase64(Buffer.from(text, 'utf8').toString('latin1'));
  return Buffer.from(text, 'base64');
}

/** The positions in errors are those of `decodeQuantum` in Go's `encoding/base64`, in bytes. */
function checkBase64(bytes: string): void {
  let at = 0;
  /** The number of characters since the last complete group of four. */
  let count = 0;
  for (; at < bytes.length; at++) {
    const byte = bytes.charAt(at);
    if (isLineBreak(byte)) continue;
    if (byte === '=') {
      checkPadding(bytes, at, count);
      return;
    }
    if (!alphabet.test(byte)) throw new Base64Error(at);
    count = (count + 1) % 4;
  }
  if (count > 0) throw new Base64Error(at - count);
}

function checkPadding(bytes: string, start: number, count: number): void {
  if (count < 2) throw new Base64Error(start);
  let at = afterLineBreaks(bytes, start + 1);
  if (count === 2) {
    if (at === bytes.length) throw new Base64Error(at);
    if (bytes.charAt(at) !== '=') throw new Base64Error(at - 1);
    at = afterLineBreaks(bytes, at + 1);
  }
  if (at < bytes.length) throw new Base64Error(at);
}

function afterLineBreaks(bytes: string, start: number): number {
  let at = start;
  while (at < bytes.length && isLineBreak(bytes.charAt(at))) at++;
  return at;
}

function isLineBreak(byte: string): boolean {
  return byte === '\n' || byte === '\r';
}
