import type { IncomingMessage } from 'node:http';

/** Why the head of a request is invalid, although Node's parser accepts it. */
export interface InvalidHead {
  readonly status: number;
  readonly reason: string;
  /** The body of the response. */
  readonly text: string;
}

/** The status line and text of Go's server for a request that it cannot read; `why` is added to the text. */
export function invalidHead(status: 400 | 431 | 505, why = ''): InvalidHead {
  const reasons = {
    400: 'Bad Request',
    431: 'Request Header Fields Too Large',
    505: 'HTTP Version Not Supported',
  };
  const reason = reasons[status];
  return { status, reason: `${reason}${why}`, text: `${status} ${reason}${why}` };
}

/** Checks what Go's `net/http` requires of a request. Returns undefined for a valid one. */
export function checkHead({
  httpVersion,
  rawHeaders,
  headers,
  url = '',
  method,
}: IncomingMessage): InvalidHead | undefined {
  if (!isTarget(method === 'CONNECT' && !url.startsWith('/') ? `http://${url}` : url)) return invalidHead(400);
  const hosts = valuesOf(rawHeaders, 'host');
  if (hosts.length > 1) return invalidHead(400);
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && httpVersion !== '1.0' && encoding.toLowerCase() !== 'chunked')
    return unsupportedEncoding;
  const length = headers['content-length'];
  if (length !== undefined && !isLength(length)) return invalidHead(400);
  const isPreface = method === 'PRI' && url === '*' && httpVersion === '2.0';
  if (!httpVersion.startsWith('1.') && !isPreface) return invalidHead(505, ': unsupported protocol version');
  const [host] = hosts;
  if (host === undefined) {
    const needsHost = httpVersion !== '1.0' && !isPreface && method !== 'CONNECT';
    return needsHost ? invalidHead(400, ': missing required Host header') : undefined;
  }
  return /^[\w!$%&'()*+,.:;=[\]~-]*$/.test(host) ? undefined : invalidHead(400, ': malformed Host header');
}

const unsupportedEncoding: InvalidHead = {
  status: 501,
  reason: 'Not Implemented',
  text: 'Unsupported transfer encoding',
};

/** All values of a header. */
export function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** Whether the length of a body is an int64. */
function isLength(text: string): boolean {
  return /^\d+$/.test(text) && (text.length < 19 || BigInt(text) < 2n ** 63n);
}

const scheme = /^[a-z][a-z0-9+.-]*:/i;

/** Whether Go parses the target of a request (`url.ParseRequestURI`). */
function isTarget(url: string): boolean {
  if (/[\0-\x20\x7f]/.test(url)) return false;
  if (url === '*') return true;
  const [start = ''] = scheme.exec(url) ?? [];
  const rest = url.slice(start.length);
  // After a scheme, a text without a slash is opaque.
  if (!rest.startsWith('/')) return start !== '';
  const [, authority = '', path = ''] = (start !== '' && /^\/\/([^/?]*)(.*)$/.exec(rest)) || ['', '', rest];
  return /^(?:[^@[\]]*@)?(?:\[[^\]]*\]|[^:[\]]*)(?::\d*)?$/.test(authority) && !/%(?![0-9a-f]{2})/i.test(pathOf(path));
}

/** The path and query of a request, also if the client sent a whole URL as to a proxy. */
export function targetOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/') || url === '*') return url;
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*(.*)$/i.exec(url)?.[1] ?? '';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function pathOf(url: string): string {
  const question = url.indexOf('?');
  return question < 0 ? url : url.slice(0, question);
}

/** The whole response, for a socket whose request could not be read. */
export function invalidHeadResponse({ status, reason, text }: InvalidHead): string {
  return `HTTP/1.1 ${status} ${reason}\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\n${text}`;
}
