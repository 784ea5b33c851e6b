import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EvenkeelError } from '@evenkeel/core';
import { digestOfFile, hexOf } from '../registry/digest.ts';
import { type Descriptor, invalid } from '../registry/manifest.ts';

const attemptsMax = 3;

/** The downloaded contents of base images, as files that are named after their digests. Several processes may use it at once. */
export class BlobCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the path of a file with the content. Downloads it if it is missing or damaged, verifies its size and digest, and tries
   * again if the connection breaks.
   */
  async file(descriptor: Descriptor, open: () => Promise<Readable>, shown: string): Promise<string> {
    const file = join(this.#folder, hexOf(descriptor.digest));
    if (await isIntact(file, descriptor)) return file;
    await mkdir(this.#folder, { recursive: true });
    const temporary = `${file}.${randomUUID()}.part`;
    try {
      for (let attempt = 1; ; attempt++) {
        const broken = await this.#download(temporary, descriptor, await open(), shown);
        if (broken === undefined) break;
        if (attempt < attemptsMax) continue;
        const text = `${shown}: the download broke: ${broken.message}; check the network, and try again`;
        throw new EvenkeelError('registry-unreachable', text, { cause: broken });
      }
      await rename(temporary, file);
      return file;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Returns the error of a connection that broke. */
  async #download(
    file: string,
    { digest, size }: Descriptor,
    content: Readable,
    shown: string,
  ): Promise<Error | undefined> {
    const hash = createHash('sha256');
    let received = 0;
    const measured = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        received += chunk.length;
        if (received > size) throw invalid(shown, `${digest} has more than its ${size} bytes`);
        hash.update(chunk);
        yield chunk;
      }
    };
    try {
      await pipeline(content, measured, createWriteStream(file));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof EvenkeelError || code === 'ENOSPC' || code === 'EACCES') throw error;
      return error as Error;
    }
    if (`sha256:${hash.digest('hex')}` === digest) return undefined;
    throw invalid(shown, `the content of ${digest} does not match the digest`);
  }
}

/** Whether a file has the content of a descriptor. */
export async function isIntact(file: string, { digest, size }: Descriptor): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true && found.size === size && (await digestOfFile(file)) === digest;
}
