/**
 * The lines of a stream of bytes, without their newlines, as they become complete. A line that came in one piece is a
 * view of it, not a copy. What follows the last newline is half an event: it is dropped.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  let pieces: Buffer[] = [];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      const rest = bytes.subarray(start, end);
      start = end + 1;
      if (pieces.length > 0) {
        pieces.push(rest);
        const line = Buffer.concat(pieces);
        pieces = [];
        yield line;
      } else if (rest.length > 0) yield rest;
    }
    if (start < bytes.length) pieces.push(bytes.subarray(start));
  }
}

const newline = 10;
