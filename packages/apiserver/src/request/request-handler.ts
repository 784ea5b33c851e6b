/** A request as received, before its user and its resource are known. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  /** Names in lower case; several values of one name joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Receives the body. Resolves with undefined if it is longer than the limit of a request. Without a call, the body is not
   * read, so that a client without permission cannot fill the memory.
   */
  readonly receive: () => Promise<Uint8Array | undefined>;
  /** Present if the client authenticated with a certificate of this server's authority. */
  readonly clientCertificate?: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    /** The SHA-256 hash of the certificate, in hexadecimal. */
    readonly hash: string;
  };
  /** Host and port to which the client connected. */
  readonly localAddress: string;
  /** The address of the client. */
  readonly remoteAddress: string;
  /** Set for a request for a WebSocket. If the status of the response is 101, its body is a stream of frames. */
  readonly upgradable?: boolean;
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}

export interface OutgoingResponse {
  readonly status: number;
  /** Names in lower case. A list is sent as one header for each value (`warning`). */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** All bytes, or a stream of bytes. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Aborted if the client reads the stream too slowly: the transport must close the connection, and send no more. */
  readonly dropped?: AbortSignal;
}

/** Responds to any request. Never throws for a mistake of the client. */
export type RequestHandler = (request: IncomingRequest) => Promise<OutgoingResponse>;
