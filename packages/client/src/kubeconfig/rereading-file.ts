import { readFile } from 'node:fs/promises';
import { type Clock, EvenkeelError } from '@evenkeel/core';

/** How long what was read is used; client-go re-reads a token file each minute, which rotation is made for. */
const rereadAfterMs = 60_000;

/** A credential's file, read again each minute, as files that are rotated ask for. */
export class RereadingFile {
  readonly #path: string;
  readonly #whose: string;
  readonly #clock: Clock;
  #text: string | undefined;
  #readMs = 0;
  #reading: Promise<string> | undefined;

  /** `whose` names, in messages, the entry that refers to the file. */
  constructor(path: string, whose: string, clock: Clock) {
    this.#path = path;
    this.#whose = whose;
    this.#clock = clock;
  }

  /**
   * Rejects with `credentials-unavailable` where it has never been read; later keeps what it last read. `renew` reads it
   * whenever that was.
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
      // A file that is being replaced may be away for a moment; the server judges whether the old one still serves.
      if (this.#text === undefined) {
        const why = (error as { code?: unknown }).code === 'ENOENT' ? 'it does not exist' : (error as Error).message;
        throw new EvenkeelError(
          'credentials-unavailable',
          `${this.#whose} refers to the file ${this.#path}: ${why}; log in to the cluster again, or correct the path`,
        );
      }
    }
    this.#readMs = this.#clock.monotonic();
    return this.#text;
  }
}
