import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { createFolder } from '../create-folder.ts';

/**
 * Writes files that do not exist, all or none: if one cannot be written, those before it are removed. Throws `output-not-written` for
 * the first one.
 */
export async function writeNewFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const undo: (() => Promise<unknown>)[] = [];
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    try {
      const first = await createFolder(dirname(path));
      if (first !== undefined) undo.push(() => rm(first, { recursive: true, force: true }));
      await writeFile(path, text, { flag: 'wx' });
      undo.push(() => rm(path, { force: true }));
    } catch (error) {
      for (const step of undo.reverse()) await step();
      throw notWritten(path, error as NodeJS.ErrnoException);
    }
  }
}

/** The error for a file that cannot be written, with the fix. */
export function notWritten(path: string, error: NodeJS.ErrnoException): EvenkeelError {
  const fix: Readonly<Record<string, string>> = {
    EACCES: 'its folder is read-only; choose another folder',
    EPERM: 'its folder is read-only; choose another folder',
    EROFS: 'its file system is read-only; choose another folder',
    ENOSPC: 'the disk is full; free some space',
    ENOTDIR: 'a part of its path is a file; choose another folder',
    EEXIST: 'it or a part of its path is a file; choose another folder',
  };
  return new EvenkeelError(
    'output-not-written',
    `${path}: cannot write it: ${fix[error.code ?? ''] ?? error.message}`,
    {
      cause: error,
    },
  );
}
