import type { TransportResponse } from '@evenkeel/core';

/** Reads the whole body as one buffer; does not copy a single chunk. */
export async function readBody({ body, wholeBody }: TransportResponse): Promise<Buffer> {
  const bytes = wholeBody === undefined ? await collected(body) : await wholeBody();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function collected(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}
