import { trimRight } from '../apimachinery/index.ts';
import { parseFieldSelector } from './field-selector.ts';

/** What a request asks for by its path and query, after apiserver's `request.RequestInfo`. */
export interface RequestInfo {
  readonly method: string;
  /** Decoded. */
  readonly path: string;
  /** `get`, `list`, `watch`, `create`, ...; for paths that are not resources, the method in lower case. */
  readonly verb: string;
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  /** Empty for cluster-scoped requests. The name of a Namespace for requests to the Namespace itself. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The rest of the path after the subresource, for proxies. */
  readonly rest: string;
}

const verbOfMethod: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/**
 * Parses a path by the rules of apiserver's `RequestInfoFactory`: `/api/v1/...` and `/apis/GROUP/VERSION/...`, with the
 * old `/watch/` prefix after the version. A list or watch for one name (`fieldSelector=metadata.name=x`) gets that name
 * for authorization. A deletion of a collection does not.
 */
export function requestInfoOf(method: string, encodedPath: string, query: URLSearchParams): RequestInfo {
  const path = decodedPath(encodedPath);
  const parts = splitPath(path);
  const plain: RequestInfo = {
    method,
    path,
    verb: method.toLowerCase(),
    isResource: false,
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    rest: '',
  };
  if (parts.length < 3 || (parts[0] !== 'api' && parts[0] !== 'apis')) return plain;
  let at = 1;
  let group = '';
  if (parts[0] === 'apis') {
    if (parts.length < 4) return plain;
    group = parts[at++] ?? '';
  }
  const version = parts[at++] ?? '';
  let verb = verbOfMethod[method] ?? '';
  if (parts[at] === 'watch' && parts.length > at + 1) {
    verb = 'watch';
    at++;
  }
  let namespace = '';
  if (parts[at] === 'namespaces') {
    const next = parts[at + 1];
    if (next !== undefined) {
      namespace = next;
      const third = parts[at + 2];
      if (third !== undefined && third !== 'finalize' && third !== 'status') at += 2;
    }
  }
  const [resource = '', name = '', subresource = '', ...rest] = parts.slice(at);
  const info = {
    ...plain,
    isResource: true,
    group,
    version,
    namespace,
    resource,
    subresource,
    name,
    rest: rest.join('/'),
  };
  if (name === '' && verb === 'get') {
    const watch = query.get('watch');
    verb = watch !== null && isTrue(watch) ? 'watch' : 'list';
    return { ...info, verb, name: selectedName(query.get('fieldSelector') ?? '') };
  }
  if (name === '' && verb === 'delete') verb = 'deletecollection';
  return { ...info, verb };
}

const longRunningSubresources = ['attach', 'exec', 'log', 'portforward', 'proxy'];

/** Whether the response may last, as that of a watch does (`BasicLongRunningRequestCheck` of apiserver). */
export function runsLong({ verb, subresource }: RequestInfo): boolean {
  return verb === 'watch' || longRunningSubresources.includes(subresource);
}

/** Returns the name that a selector requires, also among other terms; empty if there is none. */
function selectedName(selector: string): string {
  try {
    const term = parseFieldSelector(selector).find(({ field, negated }) => field === 'metadata.name' && !negated);
    const name = term?.value ?? '';
    return name === '.' || name === '..' || /[/%]/.test(name) ? '' : name;
  } catch {
    // An invalid selector is rejected later, when it is applied.
    return '';
  }
}

/** Parses a boolean parameter as Go does: everything except `0` and `false` (in any case) is true. */
export function isTrue(text: string): boolean {
  return text !== '0' && text.toLowerCase() !== 'false';
}

function splitPath(path: string): string[] {
  const trimmed = trimRight(path.replace(/^\/+/, ''), '/');
  return trimmed === '' ? [] : trimmed.split('/');
}

/** Decodes a path before it is split, as Go does, so that `%2f` separates names. Bytes that are not UTF-8 stay encoded. */
function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
