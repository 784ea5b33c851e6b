import type { IncomingMessage } from 'node:http';
import { type Clock, readBounded } from '@evenkeel/core';
import type { HttpAnswer } from './http-handler.ts';

export interface BodyLimits {
  /** 0: requests with a body are rejected. */
  readonly maxBytes: number;
  /** The time limit for the whole body, from the end of the head. */
  readonly timeoutMs: number;
}

/** The body of a request, or the response that rejects it. */
export type ReceivedBody = { readonly bytes: Uint8Array } | { readonly rejection: HttpAnswer };

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Reads the body of a request within its limits. Rejects if the client goes away before the end of the body. */
export async function receiveBody(
  request: IncomingMessage,
  { maxBytes, timeoutMs }: BodyLimits,
  clock: Clock,
): Promise<ReceivedBody> {
  if (!hasBody(request)) return { bytes: new Uint8Array() };
  if (maxBytes === 0) return { rejection: { status: 413, body: 'requests to this server must not have a body\n' } };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
  const late = Promise.withResolvers<ReceivedBody>();
  const timer = clock.schedule(
    timeoutMs,
    () => late.resolve({ rejection: { status: 408, body: `the body did not arrive within ${timeoutMs} ms\n` } }),
    { unref: true },
  );
  try {
    return await Promise.race([read(request, maxBytes), late.promise]);
  } finally {
    timer.cancel();
  }
}

async function read(request: IncomingMessage, maxBytes: number): Promise<ReceivedBody> {
  // The response to a rejected request uses the same socket.
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  const bytes = await readBounded(pieces, maxBytes);
  return bytes === undefined ? tooLarge(maxBytes) : { bytes };
}

function tooLarge(maxBytes: number): ReceivedBody {
  return { rejection: { status: 413, body: `the body is larger than ${maxBytes} bytes\n` } };
}

/**
 * Resolves when the client has sent the rest of its body, has gone, or the time is over. If a connection with unread data is
 * closed, the client may lose the response.
 */
export async function discardRest(request: IncomingMessage, timeoutMs: number, clock: Clock): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.schedule(timeoutMs, resolve, { unref: true });
  for (const event of ['end', 'close', 'error']) request.once(event, resolve);
  request.resume();
  await promise;
  timer.cancel();
}
