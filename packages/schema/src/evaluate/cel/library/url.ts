import { goQuote } from '../../go-format.ts';
import { globalOverload, type Library, memberOverload } from '../declaration.ts';
import { EvaluationFault, noSuchOverload } from '../fault.ts';
import { boolType, type CelType, listType, mapType, objectType, stringType } from '../type.ts';
import { ArrayList, CelObject, type CelValue, EntryMap, stringOf } from '../value.ts';
import { parseAddress } from './ip-address.ts';

const urlType = objectType('kubernetes.URL');

/** The parts of a URL as Go's net/url sees them. */
export class UrlValue extends CelObject {
  readonly celType = urlType;
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly escapedPath: string;
  readonly query: string;

  constructor(parts: { text: string; scheme: string; host: string; escapedPath: string; query: string }) {
    super();
    this.text = parts.text;
    this.scheme = parts.scheme;
    this.host = parts.host;
    this.escapedPath = parts.escapedPath;
    this.query = parts.query;
  }

  equals(other: CelValue): boolean {
    return this.text === urlOf(other).text;
  }
}

/** `url()` of Kubernetes: absolute URLs and absolute paths. */
export const urlLibrary: Library = {
  functions: [
    {
      name: 'url',
      overloads: [
        globalOverload('string_to_url', [stringType], urlType, (text) => {
          const request = parseUrl(stringOf(text), true);
          return typeof request === 'string' ? failParse(stringOf(text), request) : withoutFragment(stringOf(text));
        }),
      ],
    },
    {
      name: 'isURL',
      overloads: [
        globalOverload('is_url_string', [stringType], boolType, (text) => isRequestUrl(stringOf(text)) === undefined),
      ],
    },
    accessor('getScheme', 'scheme', stringType, ({ scheme }) => scheme),
    accessor('getHost', 'host', stringType, ({ host }) => host),
    accessor('getHostname', 'hostname', stringType, ({ host }) => splitPort(host)[0].replace(/^\[(.*)\]$/, '$1')),
    accessor('getPort', 'port', stringType, ({ host }) => splitPort(host)[1]),
    accessor('getEscapedPath', 'escaped_path', stringType, ({ escapedPath }) => escapedPath),
    accessor('getQuery', 'query', mapType(stringType, listType(stringType)), ({ query }) => parseQuery(query)),
  ],
};

/** What keeps the text from being a URL as a request line has it, in the words of Go's net/url, or undefined. */
export function isRequestUrl(text: string): string | undefined {
  const parsed = parseUrl(text, true);
  return typeof parsed === 'string' ? `parse ${goQuote(text)}: ${parsed}` : undefined;
}

function accessor(name: string, id: string, result: CelType, read: (url: UrlValue) => CelValue) {
  return { name, overloads: [memberOverload(`url_get_${id}`, [urlType], result, (url) => read(urlOf(url)))] };
}

function failParse(text: string, problem: string): never {
  throw new EvaluationFault(`URL parse error during conversion from string: parse ${goQuote(text)}: ${problem}`);
}

function withoutFragment(text: string): UrlValue {
  const hash = text.indexOf('#');
  const url = parseUrl(hash === -1 ? text : text.slice(0, hash), false);
  return typeof url === 'string' ? failParse(text, url) : url;
}

/** Splits a URL as Go's `url.Parse` and, for requests, `url.ParseRequestURI` do. A string is the error. */
function parseUrl(text: string, viaRequest: boolean): UrlValue | string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\x00-\x1f\x7f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '' && viaRequest) return 'empty url';
  if (text.startsWith(':')) return 'missing protocol scheme';
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase() ?? '';
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  const question = rest.indexOf('?');
  const query = question === -1 ? '' : rest.slice(question + 1);
  let path = question === -1 ? rest : rest.slice(0, question);
  let host = '';
  if (!path.startsWith('/') && text !== '*') {
    if (scheme !== '') return new UrlValue({ text, scheme, host, escapedPath: '', query });
    if (viaRequest) return 'invalid URI for request';
    if (path.split('/')[0]?.includes(':') === true) return 'first path segment in URL cannot contain colon';
  }
  if (path.startsWith('//') && (scheme !== '' || (!viaRequest && !path.startsWith('///')))) {
    const slash = path.indexOf('/', 2);
    const authority = slash === -1 ? path.slice(2) : path.slice(2, slash);
    path = slash === -1 ? '' : path.slice(slash);
    const parsed = parseAuthority(scheme, authority);
    if ('problem' in parsed) return parsed.problem;
    host = parsed.host;
  }
  const unescaped = percentDecode(path, 'path');
  if (typeof unescaped !== 'string') return unescaped.problem;
  const escapedPath = isValidEncoded(path) ? path : escapePath(unescaped);
  return new UrlValue({ text, scheme, host, escapedPath, query });
}

function parseAuthority(scheme: string, authority: string): { host: string } | { problem: string } {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if ('problem' in host || at === -1) return host;
  const userinfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) return { problem: 'net/url: invalid userinfo' };
  const unescaped = percentDecode(userinfo, 'user');
  return typeof unescaped === 'string' ? host : unescaped;
}

function parseHost(scheme: string, host: string): { host: string } | { problem: string } {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return { problem: 'invalid IP-literal' };
  if (bracket === 0) {
    const close = host.lastIndexOf(']');
    if (close < 0) return { problem: "missing ']' in host" };
    const port = host.slice(close + 1);
    if (!/^(?::\d*)?$/.test(port)) return { problem: `invalid port ${goQuote(port)} after host` };
    const literal = percentDecode(host.slice(1, close), 'host');
    if (typeof literal !== 'string') return literal;
    const address = parseAddress(literal);
    if ('problem' in address) return { problem: `invalid host: ${address.problem}` };
    return address.bytes.length === 4 ? { problem: 'invalid IP-literal' } : { host: `[${literal}]${port}` };
  }
  const isHttp = scheme === 'http' || scheme === 'https';
  const colon = isHttp ? host.indexOf(':') : host.lastIndexOf(':');
  const port = colon === -1 ? '' : host.slice(colon);
  if (!/^(?::\d*)?$/.test(port)) return { problem: `invalid port ${goQuote(port)} after host` };
  const unescaped = percentDecode(host, 'host');
  return typeof unescaped === 'string' ? { host: unescaped } : unescaped;
}

type EscapeMode = 'path' | 'query' | 'user' | 'host';

function percentDecode(text: string, mode: EscapeMode): string | { problem: string } {
  const bad = /%(?![0-9a-fA-F]{2})/.exec(text);
  if (bad !== null) return { problem: `invalid URL escape ${goQuote(text.slice(bad.index, bad.index + 3))}` };
  if (mode === 'host') {
    // Only bytes outside ASCII may be escaped in a host, besides the percent sign of a zone.
    const escaped = /%(?!25)[0-7][0-9a-fA-F]/.exec(text);
    if (escaped !== null) return { problem: `invalid URL escape ${goQuote(escaped[0])}` };
    const invalid = /[ "\\^`{}|]/.exec(text);
    if (invalid !== null) return { problem: `invalid character ${goQuote(invalid[0])} in host name` };
  }
  if (!text.includes('%') && !(mode === 'query' && text.includes('+'))) return text;
  const bytes: number[] = [];
  const source = Buffer.from(text);
  for (let i = 0; i < source.length; i++) {
    const byte = source[i] ?? 0;
    if (byte === 0x25) {
      bytes.push(Number.parseInt(source.toString('latin1', i + 1, i + 3), 16));
      i += 2;
    } else {
      bytes.push(mode === 'query' && byte === 0x2b ? 0x20 : byte);
    }
  }
  return Buffer.from(bytes).toString();
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

function splitPort(host: string): readonly [string, string] {
  const colon = host.lastIndexOf(':');
  return colon !== -1 && /^:\d*$/.test(host.slice(colon)) ? [host.slice(0, colon), host.slice(colon + 1)] : [host, ''];
}

/** Pairs that are broken are left out, as Go's `URL.Query` does. */
function parseQuery(query: string): EntryMap {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = percentDecode(equals === -1 ? pair : pair.slice(0, equals), 'query');
    const value = percentDecode(equals === -1 ? '' : pair.slice(equals + 1), 'query');
    if (typeof key !== 'string' || typeof value !== 'string') continue;
    const known = values.get(key);
    if (known === undefined) values.set(key, [value]);
    else known.push(value);
  }
  return new EntryMap(new Map([...values].map(([key, list]) => [key, [key, new ArrayList(list)]])));
}

function urlOf(value: CelValue | undefined): UrlValue {
  if (!(value instanceof UrlValue)) throw noSuchOverload();
  return value;
}
