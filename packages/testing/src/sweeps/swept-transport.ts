import {
  type Clock,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  untilAborted,
} from '@evenkeel/core';
import { type ApiCall, apiCallOf, isTold } from './api-call.ts';
import { type CallFault, canMeet, meetFault } from './call-fault.ts';

/**
 * What is done to one of an operator's calls, by its number from 1 on, or to the next one after that which can meet it.
 * Events and Leases have no number.
 */
export type Strike =
  | { readonly at: number; readonly fault: CallFault }
  /** The operator dies at a write, which the server gets before that or does not. */
  | { readonly atWrite: number; readonly death: 'before' | 'after' };

/** What an operator did to a server, and to what end. */
export interface CallRecord {
  readonly calls: ApiCall[];
  readonly writes: ApiCall[];
  /** How many objects of each resource were created and deleted. */
  readonly created: Map<string, number>;
  readonly deleted: Map<string, number>;
  /** What was sent of each object that was created, as text. */
  readonly creations: { readonly call: ApiCall; readonly body: string }[];
  /** Writes of one object that the server took. */
  readonly accepted: ApiCall[];
  /** Writes under way. */
  pending: number;
  /** Whether the strike has hit a call. */
  isStruck: boolean;
}

export function newCallRecord(): CallRecord {
  return {
    calls: [],
    writes: [],
    created: new Map(),
    deleted: new Map(),
    creations: [],
    accepted: [],
    pending: 0,
    isStruck: false,
  };
}

/**
 * An operator's way to the server during a sweep: it counts calls, strikes one of them, and can die. Then nothing goes out
 * any more and nothing comes in: what is under way fails, also where the server has done it.
 */
export class SweptTransport implements Transport {
  readonly #inner: Transport;
  readonly #clock: Clock;
  readonly #record: CallRecord;
  readonly #strike: Strike | undefined;
  readonly #dead = new AbortController();
  readonly #onDeath: () => void;

  constructor(
    inner: Transport,
    {
      clock,
      record,
      strike,
      onDeath = () => undefined,
    }: {
      readonly clock: Clock;
      readonly record: CallRecord;
      readonly strike?: Strike | undefined;
      readonly onDeath?: () => void;
    },
  ) {
    this.#inner = inner;
    this.#clock = clock;
    this.#record = record;
    this.#strike = strike;
    this.#onDeath = onDeath;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    this.#dead.signal.throwIfAborted();
    const call = apiCallOf(request);
    if (isTold(call)) return await this.#alive(this.#inner.request(this.#ending(request)));
    const record = this.#record;
    record.calls.push(call);
    if (call.method === 'GET') return await this.#struck(call, request);
    record.writes.push(call);
    record.pending++;
    try {
      return await this.#struck(call, request);
    } finally {
      record.pending--;
    }
  }

  /** As the end of a process does it. */
  die(): void {
    if (this.#dead.signal.aborted) return;
    this.#dead.abort(new Error('the operator was killed'));
    this.#onDeath();
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  async #struck(call: ApiCall, request: TransportRequest): Promise<TransportResponse> {
    const strike = this.#strike;
    const counted: Transport = { request: (passed) => this.#passed(call, passed), close: async () => undefined };
    if (strike === undefined || !this.#hits(strike, call)) return await this.#alive(counted.request(request));
    this.#record.isStruck = true;
    if ('fault' in strike) return await this.#alive(meetFault(strike.fault, request, counted, this.#clock));
    if (strike.death === 'after') for await (const _ of (await counted.request(request)).body);
    this.die();
    throw this.#dead.signal.reason;
  }

  #hits(strike: Strike, call: ApiCall): boolean {
    const { calls, writes, isStruck } = this.#record;
    if (isStruck) return false;
    if ('fault' in strike) return calls.length >= strike.at && canMeet(call, strike.fault);
    return call.method !== 'GET' && writes.length >= strike.atWrite;
  }

  async #passed(call: ApiCall, request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#inner.request(this.#ending(request));
    const { created, deleted, creations, accepted } = this.#record;
    const { resource, method } = call;
    if (response.status === 201 && call.subresource === undefined) {
      created.set(resource, (created.get(resource) ?? 0) + 1);
      creations.push({ call, body: String(request.body ?? '') });
    }
    if (method !== 'GET' && response.status < 300) accepted.push(call);
    if (method === 'DELETE' && response.status < 300) deleted.set(resource, (deleted.get(resource) ?? 0) + 1);
    return response;
  }

  /** Reads end with the operator; a write that is on its way reaches the server all the same. */
  #ending(request: TransportRequest): TransportRequest {
    if (request.method !== 'GET') return request;
    const { signal: dead } = this.#dead;
    return { ...request, signal: request.signal === undefined ? dead : AbortSignal.any([request.signal, dead]) };
  }

  /** The answer, as long as the operator lives. */
  async #alive(coming: Promise<TransportResponse>): Promise<TransportResponse> {
    const { signal } = this.#dead;
    const response = await untilAborted(coming, signal);
    return { ...response, body: untilDead(response.body, signal) };
  }
}

async function* untilDead(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await untilAborted(chunks.next(), signal);
      if (done === true) return;
      yield value;
    }
  } finally {
    // A body that is being read ends when its reader does; nobody waits for that.
    void chunks.return?.().catch(() => undefined);
  }
}
