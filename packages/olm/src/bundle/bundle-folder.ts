import type { Stats } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** A file of a bundle. */
export interface BundleFile {
  /** The path in the bundle, with `/`. */
  readonly path: string;
  readonly content: Buffer;
}

/** A folder that cannot be a bundle, or that is too large to be one. */
export class BundleFolderError extends Error {
  override readonly name = 'BundleFolderError';
}

/** What a folder may contain. */
export interface FolderLimits {
  /** What the folder is, with an article: `a bundle`. */
  readonly noun: string;
  readonly files: number;
  readonly bytes: number;
}

const depthMax = 16;

/** OLM stores a bundle in one ConfigMap, so a useful bundle has far less than this. */
const bundleLimits: FolderLimits = { noun: 'a bundle', files: 2000, bytes: 32 * 1024 * 1024 };

/**
 * Reads all files of a folder in the order of their paths. Symbolic links are rejected: a bundle comes from elsewhere, and its links
 * could show files of this machine.
 *
 * @param limits Default: those of a bundle.
 * @throws BundleFolderError if the folder is missing, has a link, or is larger than it may be.
 */
export async function readBundleFolder(folder: string, limits: FolderLimits = bundleLimits): Promise<BundleFile[]> {
  const files: BundleFile[] = [];
  let bytes = 0;
  const visit = async (path: string, depth: number): Promise<void> => {
    const shown = relative(folder, path).split(sep).join('/');
    const state = await lstat(path);
    if (state.isSymbolicLink()) throw new BundleFolderError(`${shown} is a symbolic link; replace it with the file`);
    if (state.isDirectory()) {
      if (depth > depthMax)
        throw new BundleFolderError(`${shown} is nested too deeply; move its files to a folder above`);
      for (const name of (await readdir(path)).sort()) await visit(join(path, name), depth + 1);
      return;
    }
    if (!state.isFile()) throw new BundleFolderError(`${shown} is not a file; remove it`);
    bytes += state.size;
    if (bytes > limits.bytes || files.length >= limits.files) {
      throw new BundleFolderError(
        `the folder has more than ${limits.files} files or ${limits.bytes / 1024 / 1024} MiB; pass the folder of ${limits.noun}`,
      );
    }
    files.push({ path: shown, content: await readAtMost(path, state.size) });
  };
  const state = await lstat(folder).catch(() => undefined);
  if (state?.isDirectory() !== true) throw new BundleFolderError(`${whyNoFolder(state)} of ${limits.noun}`);
  await visit(folder, 0);
  return files;
}

function whyNoFolder(state: Stats | undefined): string {
  if (state === undefined) return 'the folder does not exist; pass the folder';
  if (state.isSymbolicLink()) return 'it is a symbolic link; pass its target, the folder';
  return 'it is not a folder; pass the folder';
}

/** Reads a file that may grow meanwhile. */
async function readAtMost(path: string, size: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(size);
    let length = 0;
    while (length < size) {
      const { bytesRead } = await file.read(buffer, length, size - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}
