import { constants } from 'node:buffer';
import { readBounded, type TransportResponse } from '@evenkeel/core';

/**
 * A body with more bytes than the longest string has characters may not fit into a string, and all bodies are read as
 * strings.
 */
export const maxResponseBytes = constants.MAX_STRING_LENGTH;

/** Reads the whole body as one buffer; does not copy a single chunk. Rejects if it is larger than `maxResponseBytes`. */
export async function readBody({ body, wholeBody }: TransportResponse): Promise<Buffer> {
  const bytes = wholeBody === undefined ? await readBounded(body, maxResponseBytes) : await wholeBody();
  if (bytes === undefined) throw responseTooLarge(maxResponseBytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function responseTooLarge(maxBytes: number): Error {
  return new Error(
    `the response of the API server is larger than ${maxBytes} bytes; request less, for example pages of a list by limit`,
  );
}
