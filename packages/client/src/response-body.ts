import type { TransportResponse } from '@evenkeel/core';

/** The whole body as one buffer; not copied where it came in one piece. */
export async function readBody(response: TransportResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  return Buffer.concat(chunks);
}
