import type { Transport, TransportRequest, TransportResponse } from '@evenkeel/core';

/** A response, or an error instead. String bodies are sent unchanged, others as JSON. */
export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  error?: unknown;
}

/** Returns its responses one after another, and records the requests. */
export class ScriptedTransport implements Transport {
  readonly requests: TransportRequest[] = [];
  readonly #answers: ScriptedAnswer[];

  constructor(...answers: ScriptedAnswer[]) {
    this.#answers = answers;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(request);
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error(`unexpected request: ${request.method} ${request.path}`);
    if (answer.error !== undefined) throw answer.error;
    const { body } = answer;
    const chunks = (Array.isArray(body) ? body : [body]).map((chunk) =>
      Buffer.from(typeof chunk === 'string' ? chunk : JSON.stringify(chunk)),
    );
    return {
      status: answer.status ?? 200,
      headers: { 'content-type': 'application/json', ...answer.headers },
      body: (async function* () {
        yield* chunks;
      })(),
    };
  }

  async close(): Promise<void> {}

  get paths(): string[] {
    return this.requests.map(({ method, path }) => `${method} ${path}`);
  }

  /** The parsed body of the last request. */
  get sent(): unknown {
    return JSON.parse(String(this.requests.at(-1)?.body));
  }
}
