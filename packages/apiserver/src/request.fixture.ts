import type { Transport } from '@evenkeel/core';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the server returns
  readonly body: any;
}

/** Sends one request and reads the whole response; JSON is parsed. A body that is not a string is sent as JSON. */
export async function request(
  transport: Transport,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  const response = await transport.request({
    method,
    path,
    headers: { 'content-type': 'application/json', 'user-agent': 'test/1.0', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text };
}

/** Yields the events of a watch as they arrive. */
export async function* watchEvents(
  transport: Transport,
  path: string,
  signal?: AbortSignal,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the server sends
): AsyncGenerator<{ type: string; object: any }> {
  const response = await transport.request({ method: 'GET', path, ...(signal !== undefined && { signal }) });
  let rest = '';
  for await (const chunk of response.body) {
    const lines = (rest + Buffer.from(chunk).toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
