import type { Transport } from '@evenkeel/core';
import { refusal } from '../../packages/runtime/src/reconcile/scripted-client.fixture.ts';

/** A fault of a write: the transport responds itself, or the response is lost after the server has done the write. */
export const faults = {
  'an internal error': (): Fault => ({ status: 500, reason: 'InternalError' }),
  'a conflict': (): Fault => ({ status: 409, reason: 'Conflict' }),
  'too many requests': (): Fault => ({ status: 429, reason: 'TooManyRequests' }),
  'a lost response': (): Fault => 'lost',
};

/**
 * Runs a life cycle without a fault, then once for each of its writes with a fault in that write. Returns the number of writes.
 * Each life cycle gets a different name.
 */
export async function faultEachWrite(
  server: { transport(): Transport },
  name: string,
  faultOf: () => Fault,
  live: (name: string, transport: Transport) => Promise<void>,
): Promise<number> {
  const title = `${name}-${JSON.stringify(faultOf()).replaceAll(/[^a-z0-9]/g, '')}`;
  const undisturbed = new FaultyTransport(server.transport(), Number.POSITIVE_INFINITY, 'lost');
  await live(`${title}-none`, undisturbed);
  const { writes } = undisturbed;
  for (let at = 0; at < writes; at++) {
    await live(`${title}-${at}`, new FaultyTransport(server.transport(), at, faultOf()));
  }
  return writes;
}

export type Fault = { readonly status: number; readonly reason: string } | 'lost';

/** Injects a fault into one of the writes, and counts the writes. */
export class FaultyTransport implements Transport {
  readonly #inner: Transport;
  readonly #at: number;
  readonly #fault: Fault;
  writes = 0;

  constructor(inner: Transport, at: number, fault: Fault) {
    this.#inner = inner;
    this.#at = at;
    this.#fault = fault;
  }

  async request(request: Parameters<Transport['request']>[0]): ReturnType<Transport['request']> {
    const isWrite = request.method !== 'GET' && !request.path.includes('/events');
    if (!isWrite || this.writes++ !== this.#at) return this.#inner.request(request);
    if (this.#fault === 'lost') {
      for await (const _ of (await this.#inner.request(request)).body);
      throw new Error('socket hang up');
    }
    const { status, reason } = this.#fault;
    const body = new TextEncoder().encode(JSON.stringify(refusal(status, reason, 'a fault').body));
    return {
      status,
      headers: { 'content-type': 'application/json' },
      body: (async function* () {
        yield body;
      })(),
    };
  }

  async close(): Promise<void> {}
}
