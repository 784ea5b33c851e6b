import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { checkHead, type InvalidHead, invalidHead, valuesOf } from './request-head.ts';

/**
 * Reads a request that Node's parser rejects, by the rules of Go's `net/http`. Returns why Go rejects it, or the request, if Go accepts
 * it: for example, an unknown method, lines that end with LF, or a header on several lines. `packet` is what the client has sent at
 * once. A head or a body that continues in the next packet is rejected, and so is a body in chunks.
 *
 * Sources: `net/http` `readRequest`, `net/textproto` `ReadMIMEHeader`.
 */
export function readUnparsed(packet: Buffer, socket: Socket): IncomingMessage | InvalidHead {
  const lines = new Lines(packet);
  const [, method = '', target = '', version = ''] = /^([^ ]*) ([^ ]*) (.*)$/s.exec(lines.next() ?? '') ?? [];
  const number = /^HTTP\/(\d\.\d)$/.exec(version)?.[1];
  if (!token.test(method) || number === undefined) return invalidHead(400);
  const rawHeaders = readHeaders(lines);
  if (rawHeaders === undefined) return invalidHead(400);
  const http = process.getBuiltinModule('node:http');
  const incoming = new http.IncomingMessage(socket);
  const [httpVersionMajor = 0, httpVersionMinor = 0] = number.split('.').map(Number);
  Object.assign(incoming, { method, url: target, httpVersion: number, httpVersionMajor, httpVersionMinor, rawHeaders });
  incoming.headers = joinedHeaders(rawHeaders);
  const invalid =
    checkHead(incoming) ?? (rawHeaders.some(isInvalidName) ? invalidHead(400, ': invalid header name') : undefined);
  if (invalid !== undefined) return invalid;
  const length = bodyLength(incoming);
  if (length === undefined || length > packet.length - lines.end) return invalidHead(400);
  incoming.push(packet.subarray(lines.end, lines.end + length));
  incoming.push(null);
  incoming.complete = true;
  return incoming;
}

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const nameWithSpaces = /^[\w!#$%&'*+.^`|~ -]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Lines that end with LF, after which CR is dropped. */
class Lines {
  readonly #packet: Buffer;
  /** Where the next line starts. */
  end = 0;

  constructor(packet: Buffer) {
    this.#packet = packet;
  }

  /** The next line; undefined if the packet does not contain all of it. */
  next(): string | undefined {
    const end = this.#packet.indexOf('\n', this.end);
    if (end < 0) return undefined;
    const line = this.#packet.toString('latin1', this.end, end);
    this.end = end + 1;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  /** Whether the next line continues this one. */
  get isContinued(): boolean {
    const next = this.#packet[this.end];
    return next === 0x20 || next === 0x09;
  }
}

/** Names and values in turn; undefined if they are malformed or incomplete. */
function readHeaders(lines: Lines): string[] | undefined {
  if (lines.isContinued) return undefined;
  const rawHeaders: string[] = [];
  for (let line = lines.next(); line !== ''; line = lines.next()) {
    if (line === undefined) return undefined;
    const colon = line.indexOf(':');
    const parts = [trimmed(line)];
    while (lines.isContinued) parts.push(trimmed(lines.next() ?? ''));
    const joined = parts.join(' ');
    const [name, value] = [joined.slice(0, colon), trimmed(joined.slice(colon + 1))];
    if (colon < 0 || !nameWithSpaces.test(name) || !fieldValue.test(value)) return undefined;
    rawHeaders.push(name, value);
  }
  return rawHeaders;
}

function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function isInvalidName(text: string, index: number): boolean {
  return index % 2 === 0 && text.includes(' ');
}

/** Headers of which Node keeps only the first value. */
const single = new Set(['authorization', 'content-length', 'content-type', 'host', 'user-agent']);

function joinedHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    const value = rawHeaders[at + 1] ?? '';
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (!single.has(name)) headers[name] = `${before}, ${value}`;
  }
  return headers;
}

/** The length of the body; undefined if it is in chunks, or if there are several lengths. */
function bodyLength({ headers, httpVersion, rawHeaders }: IncomingMessage): number | undefined {
  if (new Set(valuesOf(rawHeaders, 'content-length')).size > 1) return undefined;
  if (headers['transfer-encoding'] !== undefined && httpVersion !== '1.0') return undefined;
  return Number(headers['content-length'] ?? 0);
}
