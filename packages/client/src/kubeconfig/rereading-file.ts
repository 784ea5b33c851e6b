import { readFile } from 'node:fs/promises';
import { type Clock, EvenkeelError } from '@evenkeel/core';

/** How long the content is used. client-go also re-reads a token file each minute, and rotation allows for that. */
const rereadAfterMs = 60_000;

/** A file with credentials that may be rotated, so it is read again each minute. */
export class RereadingFile {
  readonly #path: string;
  readonly #whose: string;
  readonly #clock: Clock;
  #text: string | undefined;
  #readMs = 0;
  #reading: Promise<string> | undefined;

  /** `whose` is the entry that refers to the file, for messages. */
  constructor(path: string, whose: string, clock: Clock) {
    this.#path = path;
    this.#whose = whose;
    this.#clock = clock;
  }

  /**
   * Rejects with `credentials-unavailable` if the file has never been read; later failures return the last content.
   * `renew` reads the file even if the last read is recent.
   */
  read({ renew = false }: { readonly renew?: boolean } = {}): Promise<string> {
    if (!renew && this.#text !== undefined && this.#clock.monotonic() - this.#readMs < rereadAfterMs) {
      return Promise.resolve(this.#text);
    }
    this.#reading ??= this.#reread().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #reread(): Promise<string> {
    try {
      this.#text = (await readFile(this.#path, 'utf8')).trim();
    } catch (error) {
      // A file that is being replaced may be missing for a moment. The server decides whether the old content is still
      // valid.
      if (this.#text === undefined) {
        const why = (error as { code?: unknown }).code === 'ENOENT' ? 'it does not exist' : (error as Error).message;
        throw new EvenkeelError(
          'credentials-unavailable',
          `${this.#whose} refers to the file ${this.#path}: ${why}; log in to the cluster again, or fix the path`,
        );
      }
    }
    this.#readMs = this.#clock.monotonic();
    return this.#text;
  }
}
