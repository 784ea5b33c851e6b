import { goQuote } from '../apimachinery.ts';
import { parseAddress } from './ip-address.ts';

/** The parts of a URL as Go's net/url parses them. */
export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly escapedPath: string;
  readonly query: string;
}

/** Whether Go's net/url ParseRequestURI accepts it: an absolute URI, an absolute path or `*`. */
export function isRequestUri(text: string): boolean {
  return typeof parseUrl(text, true) !== 'string';
}

/**
 * The parts of a URL in a request line (ParseRequestURI of Go's net/url 1.26), where `#` does not start a fragment. Returns
 * the reason as a string if the URL is invalid.
 */
export function parseRequestUri(text: string): UrlParts | string {
  const parsed = parseUrl(text, true);
  return typeof parsed === 'string' ? `parse ${goQuote(text)}: ${parsed}` : parsed;
}

/** The parts of a URL that may be relative and may have a fragment, which is omitted (Parse of net/url). */
export function parseReference(text: string): UrlParts | string {
  const hash = text.indexOf('#');
  let parsed = parseUrl(hash === -1 ? text : text.slice(0, hash), false);
  const fragment = typeof parsed === 'string' || hash === -1 ? '' : unescapeUrl(text.slice(hash + 1), 'fragment');
  if (typeof fragment !== 'string') parsed = fragment.problem;
  return typeof parsed === 'string' ? `parse ${goQuote(text)}: ${parsed}` : parsed;
}

function parseUrl(text: string, isRequest: boolean): UrlParts | string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
  if (/[\x00-\x1f\x7f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '' && isRequest) return 'empty url';
  if (text.startsWith(':')) return 'missing protocol scheme';
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase() ?? '';
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  const question = rest.indexOf('?');
  const query = question === -1 ? '' : rest.slice(question + 1);
  let path = question === -1 ? rest : rest.slice(0, question);
  let host = '';
  if (!path.startsWith('/') && text !== '*') {
    if (scheme !== '') return { scheme, host, escapedPath: '', query };
    if (isRequest) return 'invalid URI for request';
    if (path.split('/')[0]?.includes(':') === true) return 'first path segment in URL cannot contain colon';
  }
  if (path.startsWith('//') && (scheme !== '' || (!isRequest && !path.startsWith('///')))) {
    const slash = path.indexOf('/', 2);
    const authority = slash === -1 ? path.slice(2) : path.slice(2, slash);
    path = slash === -1 ? '' : path.slice(slash);
    const parsed = parseAuthority(scheme, authority);
    if (typeof parsed !== 'string') return parsed.problem;
    host = parsed;
  }
  const unescaped = unescapeUrl(path, 'path');
  if (typeof unescaped !== 'string') return unescaped.problem;
  return { scheme, host, escapedPath: isValidEncoded(path) ? path : escapePath(unescaped), query };
}

interface Problem {
  readonly problem: string;
}

function parseAuthority(scheme: string, authority: string): string | Problem {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (typeof host !== 'string' || at === -1) return host;
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return { problem: 'net/url: invalid userinfo' };
  const unescaped = unescapeUrl(user, 'user');
  return typeof unescaped === 'string' ? host : unescaped;
}

function parseHost(scheme: string, host: string): string | Problem {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return { problem: 'invalid IP-literal' };
  if (bracket === 0) return parseIpLiteral(host);
  // Some databases list several hosts with ports; only http and https allow just one colon.
  const isWeb = scheme === 'http' || scheme === 'https';
  const colon = isWeb ? host.indexOf(':') : host.lastIndexOf(':');
  return portProblem(colon === -1 ? '' : host.slice(colon)) ?? unescapeUrl(host, 'host');
}

/** `[address]:port`, the address with a zone after `%25`. */
function parseIpLiteral(host: string): string | Problem {
  const close = host.lastIndexOf(']');
  if (close < 0) return { problem: "missing ']' in host" };
  const port = host.slice(close + 1);
  const problem = portProblem(port);
  if (problem !== undefined) return problem;
  const literal = host.slice(1, close);
  const zoneAt = literal.indexOf('%25');
  const address = unescapeUrl(zoneAt === -1 ? literal : literal.slice(0, zoneAt), 'host');
  if (typeof address !== 'string') return address;
  const zone = zoneAt === -1 ? '' : unescapeUrl(literal.slice(zoneAt), 'zone');
  if (typeof zone !== 'string') return zone;
  const parsed = parseAddress(address + zone);
  if ('problem' in parsed) return { problem: `invalid host: ${parsed.problem}` };
  return parsed.bytes.length === 4 ? { problem: 'invalid IP-literal' } : `[${address}${zone}]${port}`;
}

function portProblem(port: string): Problem | undefined {
  return /^(?::\d*)?$/.test(port) ? undefined : { problem: `invalid port ${goQuote(port)} after host` };
}

type Part = 'path' | 'query' | 'fragment' | 'user' | 'host' | 'zone';

/** Replaces escape sequences. Returns the first problem in Go's order. */
export function unescapeUrl(text: string, part: Part): string | Problem {
  const isHost = part === 'host' || part === 'zone';
  if (!isHost && !text.includes('%')) return part === 'query' ? text.replaceAll('+', ' ') : text;
  for (const { 0: escaped, index } of text.matchAll(/%(?:[0-9a-fA-F]{2})?|[ -~]/g)) {
    if (escaped === '%') return { problem: `invalid URL escape ${goQuote(text.slice(index, index + 3))}` };
    if (!isHost) continue;
    if (escaped.length === 1) {
      if (isHostChar(escaped)) continue;
      return { problem: `invalid character ${goQuote(escaped)} in host name` };
    }
    if (escaped !== '%25' && !mayBeEscapedInHost(escaped, part)) {
      return { problem: `invalid URL escape ${goQuote(escaped)}` };
    }
  }
  const bytes: number[] = [];
  const source = Buffer.from(text);
  for (let i = 0; i < source.length; i++) {
    const byte = source[i] ?? 0;
    if (byte === 0x25) {
      bytes.push(Number.parseInt(source.toString('latin1', i + 1, i + 3), 16));
      i += 2;
    } else {
      bytes.push(part === 'query' && byte === 0x2b ? 0x20 : byte);
    }
  }
  return Buffer.from(bytes).toString();
}

function isHostChar(char: string): boolean {
  return /[A-Za-z0-9!$&'()*+,;=:[\]<>"\-_.~]/.test(char);
}

/** A host may escape only non-ASCII characters; a zone may also escape allowed characters and spaces. */
function mayBeEscapedInHost(escaped: string, part: Part): boolean {
  const byte = Number.parseInt(escaped.slice(1), 16);
  if (part === 'host') return byte >= 0x80;
  return byte === 0x20 || (byte < 0x80 && isHostChar(String.fromCharCode(byte)));
}

function isValidEncoded(path: string): boolean {
  return /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/.test(path);
}

function escapePath(path: string): string {
  return Array.from(Buffer.from(path), (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
