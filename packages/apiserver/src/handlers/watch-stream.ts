/** The most bytes that may wait for a slow reader. Beyond it the watch ends; the client then resumes it. */
const waitingBytesMax = 32 * 1024 * 1024;

/** The approximate number of bytes of initial objects that are encoded at a time. */
const initialSliceBytes = 64 * 1024;

/**
 * The body of a watch: events that are pushed while it is read, each of which is one frame. Ends when its reader leaves or is too
 * slow.
 */
export class WatchStream implements AsyncIterable<Uint8Array> {
  readonly #headOf: ((frame: Uint8Array) => Uint8Array) | undefined;
  #initial: Iterable<Uint8Array> = [];
  readonly #frames: Uint8Array[] = [];
  #waitingBytes = 0;
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

  push(frame: Uint8Array): void {
    if (this.#ended) return;
    this.#frames.push(frame);
    this.#waitingBytes += frame.byteLength;
    if (this.#waitingBytes > waitingBytesMax) this.end();
    this.#wake?.();
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
          const waiting = this.#frames.splice(0);
          const frames = this.#headOf === undefined ? waiting : [...this.#withHeads(waiting)];
          this.#waitingBytes = 0;
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
    if (bytes < initialSliceBytes) continue;
    yield Buffer.concat(slice);
    slice = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(slice);
}
