import { type Clock, readBounded, type Transport } from '@evenkeel/core';

/** The way to the documents in which an API server describes itself. Every authenticated user may read them (`system:discovery`). */
export interface DocumentOptions {
  readonly transport: Transport;
  readonly userAgent: string;
  readonly clock: Clock;
}

/** Larger documents are not read. The document of a group with a dozen kinds that embed pods has about 2 MiB. */
const largestDocument = 32 * 1024 * 1024;
/** The timeout of the request for one document. */
const patienceMs = 10_000;

/** A document and its ETag. */
export interface ServedDocument {
  readonly document: unknown;
  readonly etag: string | undefined;
}

/**
 * Reads one JSON document. Returns undefined if it still has the ETag. Rejects for every other response, and after 10 s without one.
 */
export async function readDocument(
  { transport, userAgent, clock }: DocumentOptions,
  path: string,
  outer: AbortSignal,
  etag?: string,
): Promise<ServedDocument | undefined> {
  const ended = new AbortController();
  const timer = clock.schedule(patienceMs, () => ended.abort(new Error(`no response within ${patienceMs} ms`)));
  try {
    const response = await transport.request({
      method: 'GET',
      path,
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      },
      signal: AbortSignal.any([outer, ended.signal]),
    });
    const bytes = await readBounded(response.body, largestDocument);
    if (bytes === undefined) throw new Error(`the document has more than ${largestDocument} bytes`);
    if (response.status === 304) return undefined;
    if (response.status !== 200) throw new Error(`the server responded with ${response.status}`);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return { document: JSON.parse(text) as unknown, etag: response.headers['etag'] };
  } finally {
    timer.cancel();
    ended.abort(new Error('the request has ended'));
  }
}
