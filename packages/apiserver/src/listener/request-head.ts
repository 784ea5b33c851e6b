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
export function checkHead({ httpVersion, rawHeaders, url = '' }: IncomingMessage): InvalidHead | undefined {
  // Node gives a request without a version 0.9.
  if (httpVersion === '0.9') return invalidHead(400);
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return invalidHead(505, ': unsupported protocol version');
  if (/%(?![0-9a-f]{2})/i.test(pathOf(url)) || /\s/.test(url)) return invalidHead(400);
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
  const [host] = hosts;
  if (hosts.length > 1) return invalidHead(400);
  if (host === undefined) return httpVersion === '1.1' ? invalidHead(400, ': missing required Host header') : undefined;
  return /^[\w!$%&'()*+,.:;=[\]~-]*$/.test(host) ? undefined : invalidHead(400, ': malformed Host header');
}

/** The path and query of a request, also if the client sent a whole URL as to a proxy. */
export function targetOf({ url = '/' }: IncomingMessage): string {
  const rest = /^https?:\/\/[^/?]*(.*)$/i.exec(url)?.[1];
  if (rest === undefined) return url;
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
