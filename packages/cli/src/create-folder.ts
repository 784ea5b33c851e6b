import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Resolves to the first folder that it created, or undefined if all exist, as Node's
 * recursive `mkdir` does. Node reports a read-only file system as ENOENT, and it never ends if a file system reports ENOENT
 * below an existing folder, as `/proc` does. Rejects with the error of the system.
 */
export async function createFolder(path: string): Promise<string | undefined> {
  try {
    return await createOne(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
  }
  const first = await createFolder(dirname(path));
  const own = await createOne(path);
  return first ?? own;
}

/** Resolves to undefined if the folder exists. */
async function createOne(path: string): Promise<string | undefined> {
  try {
    await mkdir(path);
    return path;
  } catch (error) {
    const isFolder = (error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(path)).isDirectory();
    if (isFolder) return undefined;
    throw error;
  }
}
