import type { OutgoingResponse } from './request-handler.ts';
import type { UserInfo } from './user-info.ts';

/** A request before any transport: what a socket and a call in process have in common. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query as they were sent, encoded. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
  /** Who asks, where the transport knows it: a client certificate, or a caller in process. Else the headers tell. */
  readonly user?: UserInfo;
  /** Host and port by which the client came; undefined in process. */
  readonly localAddress?: string;
}

export type ApiResponse = OutgoingResponse;

/** A body that is known whole. */
export function textResponse(status: number, contentType: string, text: string): ApiResponse {
  return { status, headers: { 'content-type': contentType }, body: Buffer.from(text) };
}
