import type { RequestedKind } from '@evenkeel/client';
import {
  type Clock,
  type ManagerWitness,
  SystemClock,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  untilAborted,
  type WebhookHost,
} from '@evenkeel/core';
import { type ApiCall, apiCallOf, isReport } from './api-call.ts';
import { type CallFault, canMeet, meetFault } from './call-fault.ts';

/**
 * A fault for one of an operator's calls: for the call with this number (counted from 1, without Events and Leases that report), or
 * the next one to which the fault applies.
 */
export type Strike =
  | { readonly at: number; readonly fault: CallFault }
  | { readonly atWrite: number; readonly death: Death };

/**
 * The moment at which an operator is killed: before the server receives a write, after the server has processed it but before the
 * operator receives the response (`during`), or when the operator has the response and sends its next request (`after`).
 */
export type Death = 'before' | 'during' | 'after';

export const deaths: readonly Death[] = ['before', 'during', 'after'];

/** How long an operator without a next request lives after its write, in milliseconds of the machine's clock. */
const idleLifeMs = 20;

/** The recorded calls of an operator and their results. */
export interface CallRecord {
  readonly calls: ApiCall[];
  readonly writes: ApiCall[];
  /** The number of created and deleted objects of each resource. */
  readonly created: Map<string, number>;
  readonly deleted: Map<string, number>;
  /** The request body of each created object. */
  readonly creations: { readonly call: ApiCall; readonly body: string }[];
  /** Writes of single objects that the server accepted. */
  readonly accepted: ApiCall[];
  /** Unfinished writes. */
  pending: number;
  /** Whether the fault has happened. */
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
 * The transport of an operator during a sweep. It counts calls, applies a fault to one of them, and can be cut. After a
 * cut, all requests and responses fail, even if the server has processed them.
 */
export class SweptTransport implements Transport {
  readonly #inner: Transport;
  readonly #clock: Clock;
  readonly #record: CallRecord;
  readonly #kinds: readonly RequestedKind[];
  readonly #strike: Strike | undefined;
  readonly #dead = new AbortController();
  /** Whether the operator is killed at its next request. */
  #isDoomed = false;
  readonly #onDeath: () => void;
  readonly witness: ManagerWitness | undefined;
  readonly webhookHost: WebhookHost | undefined;

  constructor(
    inner: Transport,
    {
      clock,
      record,
      kinds,
      strike,
      onDeath = () => undefined,
      witness,
    }: {
      readonly clock: Clock;
      readonly record: CallRecord;
      readonly kinds: readonly RequestedKind[];
      readonly strike?: Strike | undefined;
      readonly onDeath?: () => void;
      readonly witness?: ManagerWitness;
    },
  ) {
    this.#inner = inner;
    this.#clock = clock;
    this.#record = record;
    this.#kinds = kinds;
    this.#strike = strike;
    this.#onDeath = onDeath;
    this.witness = witness;
    this.webhookHost = inner.webhookHost;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    if (this.#isDoomed) this.die();
    this.#dead.signal.throwIfAborted();
    const call = apiCallOf(request);
    if (isReport(call, this.#kinds)) return await this.#alive(this.#inner.request(this.#ending(request)));
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

  /** Cuts the connection, as if the process had been killed. */
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
    if (strike.death === 'after') return await this.#lastOf(await this.#alive(counted.request(request)));
    if (strike.death === 'during') for await (const _ of (await counted.request(request)).body);
    this.die();
    throw this.#dead.signal.reason;
  }

  /** Returns the last response that the operator receives. */
  async #lastOf({ wholeBody: _, ...response }: TransportResponse): Promise<TransportResponse> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    // The round must not end before the operator is killed.
    this.#record.pending++;
    this.#dead.signal.addEventListener('abort', () => void this.#record.pending--);
    new SystemClock().schedule(idleLifeMs, () => this.die());
    return { ...response, body: this.#doomAfter(chunks) };
  }

  async *#doomAfter(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
    yield* chunks;
    this.#isDoomed = true;
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

  /** Aborts reads when the operator is killed. A write that was sent still reaches the server. */
  #ending(request: TransportRequest): TransportRequest {
    if (request.method !== 'GET') return request;
    const { signal: dead } = this.#dead;
    return { ...request, signal: request.signal === undefined ? dead : AbortSignal.any([request.signal, dead]) };
  }

  /** Returns the response unless the operator is killed first. */
  async #alive(coming: Promise<TransportResponse>): Promise<TransportResponse> {
    const { signal } = this.#dead;
    // The faster way to read a body would bypass the cut.
    const { wholeBody: _, ...response } = await untilAborted(coming, signal);
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
    // The body closes asynchronously; nothing needs to wait for that.
    void chunks.return?.().catch(() => undefined);
  }
}
