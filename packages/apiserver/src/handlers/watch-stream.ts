/** The maximum number of bytes that wait for a slow reader. Beyond it, the watch is dropped. The client then starts a new watch. */
const waitingBytesMax = 32 * 1024 * 1024;

/** The approximate number of bytes that are encoded, or passed to a socket, at a time. */
const sliceBytes = 64 * 1024;

/**
 * The body of a watch: events that are pushed while it is read, each of which is one frame. Ends when its reader leaves or is too
 * slow.
 */
export class WatchStream implements AsyncIterable<Uint8Array> {
  readonly #headOf: ((frame: Uint8Array) => Uint8Array) | undefined;
  #initial: Iterable<Uint8Array> = [];
  readonly #frames: Uint8Array[] = [];
  #waitingBytes = 0;
  #ownBytes = 0;
  readonly #own = new Set<Uint8Array>();
  readonly #dropped = new AbortController();
  readonly #onGrow = new Set<(bytes: number) => void>();
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #onEnd = new Set<() => void>();

  /** `headOf` returns the bytes that precede a frame; the bytes of the frame are shared by all watches. Default: none. */
  constructor(headOf?: (frame: Uint8Array) => Uint8Array) {
    this.#headOf = headOf;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The bytes of waiting frames that no other watch shares. */
  get ownBytes(): number {
    return this.#ownBytes;
  }

  /** Aborted if the reader is too slow. The waiting frames are discarded, so the transport must close the connection. */
  get dropped(): AbortSignal {
    return this.#dropped.signal;
  }

  /** Calls `callback` with each change of {@link ownBytes}. */
  onGrow(callback: (bytes: number) => void): void {
    this.#onGrow.add(callback);
  }

  /** Calls `callback` when the stream has ended, for any reason. */
  onEnd(callback: () => void): void {
    if (this.#ended) callback();
    else this.#onEnd.add(callback);
  }

  /**
   * Sets the frames that are read before all pushed ones. They are created as they are read, so that 100,000 initial objects
   * need no more memory than ten.
   */
  startWith(frames: Iterable<Uint8Array>): void {
    this.#initial = frames;
  }

  /** Adds a frame. `own` is whether no other watch has the same bytes in memory. */
  push(frame: Uint8Array, own = false): void {
    if (this.#ended) return;
    this.#frames.push(frame);
    this.#waitingBytes += frame.byteLength;
    if (own) {
      this.#own.add(frame);
      this.#grow(frame.byteLength);
    }
    if (this.#waitingBytes > waitingBytesMax) this.drop();
    this.#wake?.();
  }

  #grow(bytes: number): void {
    if (bytes === 0) return;
    this.#ownBytes += bytes;
    for (const callback of this.#onGrow) callback(bytes);
  }

  /** Ends the stream and discards what waits. */
  drop(): void {
    if (this.#ended) return;
    this.#take(Number.POSITIVE_INFINITY);
    this.end();
    this.#dropped.abort();
  }

  /** Removes the first frames with about so many bytes. */
  #take(bytesMax: number): Uint8Array[] {
    let count = 0;
    let bytes = 0;
    let own = 0;
    for (const frame of this.#frames) {
      if (bytes >= bytesMax) break;
      count++;
      bytes += frame.byteLength;
      if (this.#own.delete(frame)) own += frame.byteLength;
    }
    this.#waitingBytes -= bytes;
    this.#grow(-own);
    return this.#frames.splice(0, count);
  }

  /** Accepts no further frames; waiting frames can still be read. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#wake?.();
    for (const callback of this.#onEnd) callback();
    this.#onEnd.clear();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    try {
      yield* inSlices(this.#withHeads(this.#initial));
      for (;;) {
        if (this.#frames.length > 0) {
          // Frames that wait together are written together.
          const frames = [...this.#withHeads(this.#take(sliceBytes))];
          yield frames.length === 1 ? (frames[0] as Uint8Array) : Buffer.concat(frames);
          continue;
        }
        if (this.#ended) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    } finally {
      this.end();
    }
  }

  *#withHeads(frames: Iterable<Uint8Array>): Generator<Uint8Array> {
    // A head and its frame stay together, because a transport may write frames of its own between two pieces.
    for (const frame of frames) yield this.#headOf === undefined ? frame : Buffer.concat([this.#headOf(frame), frame]);
  }
}

function* inSlices(frames: Iterable<Uint8Array>): Generator<Uint8Array> {
  let slice: Uint8Array[] = [];
  let bytes = 0;
  for (const frame of frames) {
    slice.push(frame);
    bytes += frame.byteLength;
    if (bytes < sliceBytes) continue;
    yield Buffer.concat(slice);
    slice = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(slice);
}
