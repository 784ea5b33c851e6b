import type { HttpRequest } from './http-handler.ts';

/** A GET without a body. */
export function getRequest(url: string, headers: Readonly<Record<string, string | undefined>> = {}): HttpRequest {
  const [path = '', query] = url.split('?');
  return {
    method: 'GET',
    path,
    query: new URLSearchParams(query),
    body: new Uint8Array(),
    signal: new AbortController().signal,
    header: (name) => headers[name],
  };
}
