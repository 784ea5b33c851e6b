import { type Client, createClient } from '@evenkeel/client';
import type { Transport, TransportRequest } from '@evenkeel/core';

export interface SentRequest {
  readonly method: TransportRequest['method'];
  readonly path: string;
  readonly body: unknown;
}

export type Answer = { readonly status: number; readonly body: unknown };

/** A real client whose server is a function of the test. Records the requests. */
export function scriptedClient(
  answer: (request: SentRequest) => Answer,
  options: Parameters<typeof createClient>[1] = {},
): { client: Client; sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const transport: Transport = {
    async request({ method, path, body }) {
      const request = { method, path, body: body === undefined ? undefined : JSON.parse(String(body)) };
      sent.push(request);
      const { status, body: answered } = answer(request);
      const bytes = new TextEncoder().encode(JSON.stringify(answered));
      return {
        status,
        headers: { 'content-type': 'application/json' },
        body: (async function* () {
          yield bytes;
        })(),
      };
    },
    async close() {},
  };
  return { client: createClient(transport, options), sent };
}

/** An error response of the API server. */
export function refusal(code: number, reason: string, message: string): Answer {
  return {
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
  };
}
