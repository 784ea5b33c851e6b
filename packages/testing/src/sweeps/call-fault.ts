import type { Clock, Transport, TransportRequest, TransportResponse } from '@evenkeel/core';
import type { ApiCall } from './api-call.ts';

/**
 * What becomes of a call:
 * - `internal-error`: the server answers 500 and has done nothing.
 * - `too-many-requests`: it answers 429 with `Retry-After: 1`.
 * - `conflict`: it answers 409, as where somebody else was quicker. Writes only.
 * - `no-answer`: it never gets there; after 1 s, on the operator's clock, it fails as a connection that timed out.
 * - `connection-reset`: it never gets there, and fails at once.
 * - `answer-lost`: the server does it, and the connection breaks: in the place of a write's answer, and within the body of
 *   a read's or a watch's.
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

/** Whether a call can meet a fault at all: nobody answers a read with a conflict. */
export function canMeet({ method }: ApiCall, fault: CallFault): boolean {
  return fault !== 'conflict' || method !== 'GET';
}

/** Makes a call meet a fault. */
export async function meetFault(
  fault: CallFault,
  request: TransportRequest,
  transport: Transport,
  clock: Clock,
): Promise<TransportResponse> {
  switch (fault) {
    case 'internal-error':
      return refusal(500, 'InternalError');
    case 'too-many-requests':
      return refusal(429, 'TooManyRequests', { 'retry-after': '1' });
    case 'conflict':
      return refusal(409, 'Conflict');
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

function refusal(code: number, reason: string, headers: Readonly<Record<string, string>> = {}): TransportResponse {
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

/** As Node tells it. */
function broken(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Half of the first chunk that comes. */
async function* halfOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body) {
    yield chunk.subarray(0, chunk.length >> 1);
    throw broken('ECONNRESET', 'a fault: socket hang up');
  }
}
