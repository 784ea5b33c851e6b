import type { WatchStream } from './watch-stream.ts';

/**
 * The maximum number of bytes that wait for the slow readers of all watches. It does not include frames that several watches share.
 * The limit of a single watch also limits these frames, because all slow readers wait for the same ones.
 */
const ownBytesMax = 64 * 1024 * 1024;

/** The open watches of a server. If too many bytes wait in all of them, the watch with the most waiting bytes is dropped. */
export class OpenWatches implements Iterable<WatchStream> {
  readonly #streams = new Set<WatchStream>();
  readonly #ownBytesMax: number;
  #ownBytes = 0;

  constructor(options: { readonly ownBytesMax?: number } = {}) {
    this.#ownBytesMax = options.ownBytesMax ?? ownBytesMax;
  }

  /** Adds a watch until it ends. */
  add(stream: WatchStream): void {
    if (stream.ended) return;
    this.#streams.add(stream);
    this.#grow(stream.ownBytes);
    stream.onGrow((bytes) => {
      if (this.#streams.has(stream)) this.#grow(bytes);
    });
    stream.onEnd(() => {
      this.#streams.delete(stream);
      // The reader of an ended watch may have left without what waits.
      this.#grow(-stream.ownBytes);
    });
  }

  [Symbol.iterator](): Iterator<WatchStream> {
    return this.#streams[Symbol.iterator]();
  }

  #grow(bytes: number): void {
    this.#ownBytes += bytes;
    if (bytes <= 0 || this.#ownBytes <= this.#ownBytesMax) return;
    let largest: WatchStream | undefined;
    for (const stream of this.#streams) {
      if (stream.ownBytes > (largest?.ownBytes ?? 0)) largest = stream;
    }
    largest?.drop();
  }
}
