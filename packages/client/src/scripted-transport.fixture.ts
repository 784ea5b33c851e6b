import type { Transport, TransportRequest, TransportResponse } from '@evenkeel/core';

/** An answer, or an error in its place. Text bodies are sent as they are, others as JSON. */
export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  error?: unknown;
}

/** Gives its answers one after another, and keeps what was asked. */
export class ScriptedTransport implements Transport {
  readonly requests: TransportRequest[] = [];
  readonly #answers: ScriptedAnswer[];

  constructor(...answers: ScriptedAnswer[]) {
    this.#answers = answers;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(request);
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error(`nobody expected ${request.method} ${request.path}`);
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
