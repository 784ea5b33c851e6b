/**
 * Puts the lines of a stream of bytes together. A line that came in one piece is a view of it, not a copy; empty lines are
 * left out where `keepEmpty` is not true.
 */
export class LineSplitter {
  readonly #keepEmpty: boolean;
  #pieces: Buffer[] = [];

  constructor({ keepEmpty = false }: { readonly keepEmpty?: boolean } = {}) {
    this.#keepEmpty = keepEmpty;
  }

  /** The lines that `chunk` completes, without their newlines. */
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

  /** What followed the last newline, when nothing more comes. Of a watch it is half an event. */
  rest(): Buffer | undefined {
    return this.#pieces.length === 0 ? undefined : Buffer.concat(this.#pieces.splice(0));
  }
}

const newline = 10;
