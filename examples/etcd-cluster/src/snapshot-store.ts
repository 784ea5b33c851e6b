import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** Where snapshots are stored: a folder for each EtcdBackup, such as `namespace/name`. */
export abstract class SnapshotStore {
  /** Stores a snapshot under a name. It is listed only if all its content has arrived. */
  abstract write(folder: string, name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Returns the names of the complete snapshots in alphabetical order. */
  abstract list(folder: string): Promise<string[]>;
  abstract read(folder: string, name: string): Readable;
  abstract remove(folder: string, name: string): Promise<void>;
}

/** The suffix of a file that is not complete. */
const partial = '.partial';

/** A directory, such as a volume of the operator's pod. */
export class SnapshotDirectory extends SnapshotStore {
  readonly #root: string;

  constructor(root: string) {
    super();
    this.#root = root;
  }

  async write(folder: string, name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = join(this.#root, folder, name);
    await mkdir(join(this.#root, folder), { recursive: true });
    try {
      const file = await open(`${path}${partial}`, 'w');
      try {
        for await (const chunk of content) await file.write(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}${partial}`, path);
    } catch (error) {
      await rm(`${path}${partial}`, { force: true });
      throw error;
    }
  }

  async list(folder: string): Promise<string[]> {
    const names = await readdir(join(this.#root, folder)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names.filter((name) => !name.endsWith(partial)).sort();
  }

  read(folder: string, name: string): Readable {
    return createReadStream(join(this.#root, folder, name));
  }

  async remove(folder: string, name: string): Promise<void> {
    await rm(join(this.#root, folder, name), { force: true });
  }
}
