/** A request that a handler receives. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The complete body; empty if the request has none. */
  readonly body: Uint8Array;
  /** Aborted when the response is no longer needed: the client has gone, or the time limit has passed. */
  readonly signal: AbortSignal;
  /** Names in lower case. */
  header(name: string): string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  /** Default `text/plain; charset=utf-8`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type HttpHandler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;
