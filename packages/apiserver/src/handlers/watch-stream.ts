/** Bytes that may wait for a reader before the watch is ended; the client then watches again from where it was. */
const waitingBytesMax = 32 * 1024 * 1024;

/** About so many bytes of what is there at the beginning are made at a time. */
const initialSliceBytes = 64 * 1024;

/** The body of a watch: frames that are pushed while it is read. Ends when its reader leaves or too much waits. */
export class WatchStream implements AsyncIterable<Uint8Array> {
  #initial: Iterable<Uint8Array> = [];
  readonly #frames: Uint8Array[] = [];
  #waitingBytes = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #onEnd = new Set<() => void>();

  get ended(): boolean {
    return this.#ended;
  }

  /** Calls `callback` once the stream has ended, for whatever reason. */
  onEnd(callback: () => void): void {
    if (this.#ended) callback();
    else this.#onEnd.add(callback);
  }

  /**
   * What is read before all that is pushed. It is made as it is read, so that a reader of 100,000 objects has no more
   * waiting for him than one of ten.
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

  /** No further frames; those that wait are still read. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#wake?.();
    for (const callback of this.#onEnd) callback();
    this.#onEnd.clear();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    try {
      yield* inSlices(this.#initial);
      for (;;) {
        if (this.#frames.length > 0) {
          // What came together leaves together: one write instead of many.
          const frames = this.#frames.splice(0);
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
