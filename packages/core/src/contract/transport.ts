/** One HTTP request to an API server, before any socket. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, beginning with a slash, already encoded. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Aborts the request, or the reading of its answer. */
  readonly signal?: AbortSignal;
  /**
   * Called when the connection is there, just before the first byte goes out; what it throws rejects the request, of which
   * nothing is sent then. A transport without sockets need not call it.
   */
  readonly beforeSend?: () => void;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The bytes of the answer as they arrive. Read once, to its end, or abort the request's signal; leaving the loop early
   * also releases the connection.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** All of the body at once, in place of {@link body}, where the transport has a cheaper way to it. */
  readonly wholeBody?: () => Promise<Uint8Array>;
}

/**
 * Carries requests to an API server: over HTTPS, or by a call into an embedded one. It adds credentials; it does not
 * retry and does not judge a status.
 */
export interface Transport {
  /** Rejects with the cause when no answer came, with the signal's reason when it was aborted. */
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Ends idle connections and refuses further requests. */
  close(): Promise<void>;
}
