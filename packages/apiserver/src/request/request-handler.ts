/** A request as it came off the wire, before anybody knows what it asks for or who asks. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  /** Names in lower case; several values of one name joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Of a client that proved itself by a certificate of our authority. */
  readonly clientCertificate?: { readonly commonName: string; readonly organizations: readonly string[] };
  /** Host and port by which the client came. */
  readonly localAddress: string;
  /** Aborted when the client has gone, or the server stops. */
  readonly signal: AbortSignal;
}

export interface OutgoingResponse {
  readonly status: number;
  /** Names in lower case. A list is sent as one header for each value (`warning`). */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Bytes at once, or as they come. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Answers any request; never rejects for a client's mistake. */
export type RequestHandler = (request: IncomingRequest) => Promise<OutgoingResponse>;
