import type { UserInfo } from '../authentication/user-info.ts';

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
}

export interface ApiResponse {
  readonly status: number;
  /** Names in lower case. A list is sent as several headers of that name. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** A body that is known whole. */
export function textResponse(status: number, contentType: string, text: string): ApiResponse {
  return { status, headers: { 'content-type': contentType }, body: Buffer.from(text) };
}
