import type { IncomingMessage } from 'node:http';
import { EvenkeelError } from '@evenkeel/core';

/** Reads a whole body. Throws `registry-failed` if it is longer than `bytesMax`, and `registry-unreachable` if it breaks off. */
export async function readBounded(response: IncomingMessage, bytesMax: number, doing: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > bytesMax) break;
      chunks.push(chunk);
    }
  } catch (error) {
    const text = `${doing}: the connection broke: ${(error as Error).message}; try again`;
    throw new EvenkeelError('registry-unreachable', text, { cause: error });
  }
  if (size <= bytesMax) return Buffer.concat(chunks);
  throw new EvenkeelError('registry-failed', `${doing}: the response has more than ${bytesMax} bytes; check the name`);
}
