import type { Transport, TransportRequest, TransportResponse } from '@evenkeel/core';
import type { ApiRequest, ApiResponse } from './request/api-request.ts';
import type { UserInfo } from './request/user-info.ts';

/** A {@link Transport} that calls a server in the same process. */
export class InProcessTransport implements Transport {
  readonly #handle: (request: ApiRequest) => Promise<ApiResponse>;
  readonly #user: UserInfo;
  #closed = false;

  constructor(handle: (request: ApiRequest) => Promise<ApiResponse>, user: UserInfo) {
    this.#handle = handle;
    this.#user = user;
  }

  async request({ method, path, headers = {}, body, signal }: TransportRequest): Promise<TransportResponse> {
    if (this.#closed) throw new Error('the transport has been closed');
    signal?.throwIfAborted();
    const response = await this.#handle({
      method,
      path,
      headers,
      ...(body !== undefined && { body }),
      signal: signal ?? new AbortController().signal,
      user: this.#user,
    });
    return {
      status: response.status,
      headers: joinedHeaders(response.headers),
      body: bodyOf(response.body, signal),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}

function joinedHeaders(headers: ApiResponse['headers']): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    joined[name] = typeof value === 'string' ? value : value.join(', ');
  return joined;
}

async function* bodyOf(body: ApiResponse['body'], signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    if (body.byteLength > 0) yield body;
    return;
  }
  for await (const chunk of body) {
    signal?.throwIfAborted();
    yield chunk;
  }
  signal?.throwIfAborted();
}
