import type { ManagerWitness } from './manager-witness.ts';
import type { WebhookHost } from './webhook-host.ts';

/** One HTTP request to an API server, independent of the connection. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The encoded path and query, starting with a slash. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Aborts the request, or the reading of its response. */
  readonly signal?: AbortSignal;
  /**
   * Called when the connection is established, just before the first byte is sent. If it throws, nothing is sent and the request
   * rejects with that error. A transport without sockets does not have to call it.
   */
  readonly beforeSend?: () => void;
}

/** The response to a request. Its status may be any status, even an error. */
export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. Several values of one name are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The bytes of the response as they arrive. Read the body once and to its end, or abort the request's signal. Leaving the loop
   * early also releases the connection.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Returns the whole body, instead of {@link body}, if the transport can do that faster. */
  readonly wholeBody?: () => Promise<Uint8Array>;
}

/**
 * Sends requests to an API server: over HTTPS, or as a call of an embedded server. It adds credentials. It does not retry, and
 * does not treat any status as an error.
 */
export interface Transport {
  /** Sends a request. Rejects with the cause if there is no response, and with the signal's reason if it was aborted. */
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Closes idle connections and rejects further requests. */
  close(): Promise<void>;
  /**
   * Set by test environments: watches the managers on this transport. A transport that wraps another one should pass it on.
   * Default: none.
   */
  readonly witness?: ManagerWitness | undefined;
  /**
   * Set by test environments and `evenkeel dev`: registers the webhooks of the managers on this transport. A transport that wraps
   * another one should pass it on. Default: none, and a manager with webhooks serves them over HTTPS.
   */
  readonly webhookHost?: WebhookHost | undefined;
}
