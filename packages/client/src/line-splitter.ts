/**
 * Splits a stream of bytes into lines. A line from a single chunk is a view of it, not a copy. Empty lines are skipped
 * unless `keepEmpty` is true.
 */
export class LineSplitter {
  readonly #keepEmpty: boolean;
  #pieces: Buffer[] = [];

  constructor({ keepEmpty = false }: { readonly keepEmpty?: boolean } = {}) {
    this.#keepEmpty = keepEmpty;
  }

  /** Returns the lines that `chunk` completes, without their newlines. */
  push(chunk: Uint8Array): Buffer[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      const rest = bytes.subarray(start, end);
      start = end + 1;
      if (this.#pieces.length > 0) {
        this.#pieces.push(rest);
        lines.push(Buffer.concat(this.#pieces));
        this.#pieces = [];
      } else if (rest.length > 0 || this.#keepEmpty) lines.push(rest);
    }
    if (start < bytes.length) this.#pieces.push(bytes.subarray(start));
    return lines;
  }

  /** Returns what followed the last newline, at the end of the stream. In a watch, it is an incomplete event. */
  rest(): Buffer | undefined {
    return this.#pieces.length === 0 ? undefined : Buffer.concat(this.#pieces.splice(0));
  }
}

const newline = 10;
