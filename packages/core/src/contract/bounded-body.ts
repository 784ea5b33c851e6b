/** Collects the pieces of a body up to a limit. */
export class BoundedBody {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a piece and returns true, or returns false if the body is larger than the limit; then it keeps nothing. */
  add(piece: Uint8Array): boolean {
    this.#length += piece.byteLength;
    if (this.#length <= this.#maxBytes) {
      this.#pieces.push(piece);
      return true;
    }
    this.#pieces = [];
    return false;
  }

  /** All bytes. A body of one piece is not copied. */
  get bytes(): Uint8Array {
    const [first] = this.#pieces;
    if (first !== undefined && this.#pieces.length === 1) return first;
    const all = new Uint8Array(this.#length);
    let offset = 0;
    for (const piece of this.#pieces) {
      all.set(piece, offset);
      offset += piece.byteLength;
    }
    return all;
  }
}

/**
 * Reads a body to its end and returns its bytes. Returns undefined as soon as the body is larger than `maxBytes`, and leaves the
 * rest unread. Rejects with what the body rejects with.
 */
export async function readBounded(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  const collected = new BoundedBody(maxBytes);
  for await (const piece of body) {
    if (!collected.add(piece)) return undefined;
  }
  return collected.bytes;
}
