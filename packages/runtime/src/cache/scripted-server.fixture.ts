import type { Transport, TransportRequest, TransportResponse } from '@evenkeel/core';

/** One request, whose response the test sends at any time. */
export class Exchange {
  readonly request: TransportRequest;
  readonly query: URLSearchParams;
  readonly #answer: (response: TransportResponse) => void;
  readonly #fail: (error: unknown) => void;
  #isEnded = false;
  readonly #chunks: (Uint8Array | 'end' | Error)[] = [];
  #wake: (() => void) | undefined;

  constructor(
    request: TransportRequest,
    answer: (response: TransportResponse) => void,
    fail: (error: unknown) => void,
  ) {
    this.request = request;
    this.query = new URL(request.path, 'http://server').searchParams;
    this.#answer = answer;
    this.#fail = fail;
    request.signal?.addEventListener('abort', () => {
      this.#isEnded = true;
      fail(request.signal?.reason);
      this.#wake?.();
    });
  }

  get isWatch(): boolean {
    return this.query.get('watch') === 'true';
  }

  /** Whether the client has aborted the request. */
  get isAborted(): boolean {
    return this.request.signal?.aborted === true;
  }

  /** Fails the request without a response. */
  fail(error: unknown): void {
    this.#fail(error);
  }

  json(body: unknown, status = 200): void {
    this.open(status);
    this.bytes(JSON.stringify(body));
    this.end();
  }

  refuse(code: number, reason: string, causes?: { reason: string }[]): void {
    this.json(
      { kind: 'Status', status: 'Failure', message: `refused: ${reason}`, reason, code, details: { causes } },
      code,
    );
  }

  /** Starts a response whose body follows. */
  open(status = 200): void {
    this.#answer({ status, headers: { 'content-type': 'application/json' }, body: this.#body() });
  }

  event(type: string, object: unknown): void {
    this.bytes(`${JSON.stringify({ type, object })}\n`);
  }

  bookmark(resourceVersion: string, annotations?: Record<string, string>): void {
    this.event('BOOKMARK', { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion, annotations } });
  }

  endOfInitialEvents(resourceVersion: string): void {
    this.bookmark(resourceVersion, { 'k8s.io/initial-events-end': 'true' });
  }

  bytes(bytes: string | Uint8Array): void {
    this.#push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  }

  end(): void {
    this.#push('end');
  }

  break(error: Error): void {
    this.#push(error);
  }

  #push(chunk: Uint8Array | 'end' | Error): void {
    this.#chunks.push(chunk);
    this.#wake?.();
  }

  async *#body(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      if (this.#isEnded) throw this.request.signal?.reason;
      const chunk = this.#chunks.shift();
      if (chunk === 'end') return;
      if (chunk instanceof Error) throw chunk;
      if (chunk !== undefined) yield chunk;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

/** A transport for which the test is the server, request by request. */
export class ScriptedServer implements Transport {
  /** All requests. */
  readonly exchanges: Exchange[] = [];
  #taken = 0;
  #wake: (() => void) | undefined;

  request(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      this.exchanges.push(new Exchange(request, resolve, reject));
      this.#wake?.();
    });
  }

  async close(): Promise<void> {}

  /** Resolves with the next request. */
  async next(): Promise<Exchange> {
    for (;;) {
      const exchange = this.exchanges[this.#taken];
      if (exchange !== undefined) {
        this.#taken++;
        return exchange;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The number of requests that {@link next} has not returned. */
  get untaken(): number {
    return this.exchanges.length - this.#taken;
  }
}
