import type { IncomingRequest, OutgoingResponse } from './request-handler.ts';
import type { UserInfo } from './user-info.ts';

/** A request, independent of its transport: from a socket or from the same process. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query, encoded as sent. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Receives the body of a request from a socket, in place of `body`; see {@link IncomingRequest.receive}. */
  readonly receive?: IncomingRequest['receive'];
  readonly signal: AbortSignal;
  /**
   * The user, if the transport identifies it: a client certificate or a caller in the same process. Otherwise the
   * headers identify the user.
   */
  readonly user?: UserInfo;
  /** Whether the transport can switch to WebSocket, if the status of the response is 101. Default: false. */
  readonly upgradable?: boolean;
  /** Host and port to which the client connected; undefined in process. */
  readonly localAddress?: string;
  /** The address of the client; undefined in process. */
  readonly remoteAddress?: string;
}

export type ApiResponse = OutgoingResponse;

/** Creates a response with a complete body. */
export function textResponse(status: number, contentType: string, text: string): ApiResponse {
  return { status, headers: { 'content-type': contentType }, body: Buffer.from(text) };
}
