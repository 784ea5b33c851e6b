import type { Clock, Transport, TransportRequest, TransportResponse } from '@evenkeel/core';
import type { ApiCall } from './api-call.ts';

/**
 * The fault of a call:
 * - `internal-error`: the server returns 500 and has done nothing.
 * - `too-many-requests`: the server returns 429 with `Retry-After: 1`.
 * - `conflict`: the server returns 409, as if another client had been faster. Writes only.
 * - `no-answer`: the call never reaches the server; after 1 s on the operator's clock, it fails with a connection
 *   timeout.
 * - `connection-reset`: the call never reaches the server, and fails immediately.
 * - `answer-lost`: the server processes the call, and the connection breaks: before the response of a write, or
 *   within the body of the response to a read or a watch.
 */
export type CallFault =
  | 'internal-error'
  | 'too-many-requests'
  | 'conflict'
  | 'no-answer'
  | 'connection-reset'
  | 'answer-lost';

export const callFaults: readonly CallFault[] = [
  'internal-error',
  'too-many-requests',
  'conflict',
  'no-answer',
  'connection-reset',
  'answer-lost',
];

const noAnswerMs = 1000;

/** Whether a fault applies to a call: a read cannot have a conflict. */
export function canMeet({ method }: ApiCall, fault: CallFault): boolean {
  return fault !== 'conflict' || method !== 'GET';
}

/** Applies a fault to a call. */
export async function meetFault(
  fault: CallFault,
  request: TransportRequest,
  transport: Transport,
  clock: Clock,
): Promise<TransportResponse> {
  switch (fault) {
    case 'internal-error':
      return rejection(500, 'InternalError');
    case 'too-many-requests':
      return rejection(429, 'TooManyRequests', { 'retry-after': '1' });
    case 'conflict':
      return rejection(409, 'Conflict');
    case 'no-answer':
      await clock.sleep(noAnswerMs, request.signal);
      throw broken('ETIMEDOUT', 'a fault: the connection timed out');
    case 'connection-reset':
      throw broken('ECONNRESET', 'a fault: socket hang up');
    case 'answer-lost': {
      const response = await transport.request(request);
      if (request.method === 'GET') return { ...response, body: halfOf(response.body) };
      for await (const _ of response.body);
      throw broken('ECONNRESET', 'a fault: socket hang up');
    }
  }
}

function rejection(code: number, reason: string, headers: Readonly<Record<string, string>> = {}): TransportResponse {
  const message = 'a fault of a sweep';
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message };
  return {
    status: code,
    headers: { 'content-type': 'application/json', ...headers },
    body: (async function* () {
      yield new TextEncoder().encode(JSON.stringify(status));
    })(),
  };
}

/** Returns an error like Node's. */
function broken(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Yields half of the first chunk, and fails. */
async function* halfOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body) {
    yield chunk.subarray(0, chunk.length >> 1);
    throw broken('ECONNRESET', 'a fault: socket hang up');
  }
}
