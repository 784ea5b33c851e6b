/** A request as a handler sees it. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** All of it; empty if the request has none. */
  readonly body: Uint8Array;
  /** Aborted when the response is of no use any more: the client has gone, or the time for it is over. */
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
