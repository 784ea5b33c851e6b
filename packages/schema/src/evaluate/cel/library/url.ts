import { isRequestUri, parseReference, parseRequestUri, type UrlParts, unescapeUrl } from '../../format/url.ts';
import { globalOverload, type Library, memberOverload } from '../value/declaration.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import { boolType, type CelType, listType, mapType, objectType, stringType } from '../value/type.ts';
import { ArrayList, CelObject, type CelValue, EntryMap, stringOf } from '../value/value.ts';

const urlType = objectType('kubernetes.URL');

/** A URL. Two URLs are equal if their strings are equal. */
export class UrlValue extends CelObject {
  readonly celType = urlType;
  readonly text: string;
  readonly parts: UrlParts;

  constructor(text: string, parts: UrlParts) {
    super();
    this.text = text;
    this.parts = parts;
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
      overloads: [globalOverload('string_to_url', [stringType], urlType, (text) => toUrl(stringOf(text)))],
    },
    {
      name: 'isURL',
      overloads: [globalOverload('is_url_string', [stringType], boolType, (text) => isRequestUri(stringOf(text)))],
    },
    accessor('getScheme', 'scheme', stringType, ({ scheme }) => scheme),
    accessor('getHost', 'host', stringType, ({ host }) => host),
    accessor('getHostname', 'hostname', stringType, ({ host }) => splitPort(host)[0].replace(/^\[(.*)\]$/, '$1')),
    accessor('getPort', 'port', stringType, ({ host }) => splitPort(host)[1]),
    accessor('getEscapedPath', 'escaped_path', stringType, ({ escapedPath }) => escapedPath),
    accessor('getQuery', 'query', mapType(stringType, listType(stringType)), ({ query }) => parseQuery(query)),
  ],
};

/** It must be a request URI, and is then parsed again with its fragment. */
function toUrl(text: string): UrlValue {
  const request = parseRequestUri(text);
  const parts = typeof request === 'string' ? request : parseReference(text);
  if (typeof parts !== 'string') return new UrlValue(text, parts);
  throw new EvaluationFault(`URL parse error during conversion from string: ${parts}`);
}

function accessor(name: string, id: string, result: CelType, read: (url: UrlParts) => CelValue) {
  return { name, overloads: [memberOverload(`url_get_${id}`, [urlType], result, (url) => read(urlOf(url).parts))] };
}

function splitPort(host: string): readonly [string, string] {
  const colon = host.lastIndexOf(':');
  return colon !== -1 && /^:\d*$/.test(host.slice(colon)) ? [host.slice(0, colon), host.slice(colon + 1)] : [host, ''];
}

/** Invalid pairs are ignored, as in Go's `URL.Query`. */
function parseQuery(query: string): EntryMap {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = unescapeUrl(equals === -1 ? pair : pair.slice(0, equals), 'query');
    const value = unescapeUrl(equals === -1 ? '' : pair.slice(equals + 1), 'query');
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
