import { chmod, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import type { GeneratedFile } from './generation.ts';

/** A file of the output folder, with its desired content and its state on disk. */
export interface OutputFile {
  readonly path: string;
  /**
   * `current`: it has the desired content; `stale`: it has other content; `missing`: it does not exist; `obsolete`: it
   * was generated earlier, and nothing generates it now.
   */
  readonly state: 'current' | 'stale' | 'missing' | 'obsolete';
  /** The desired content; undefined if the file must not exist. */
  readonly text?: string;
  /** The content on disk of a stale file. */
  readonly replaced?: string;
  /** Set if the existing file was not generated but belongs to the user: the options that lead to this path. */
  readonly foreignBy?: GeneratedFile['options'];
}

/** The first line of every generated file. A file without it belongs to the user, and is neither removed nor overwritten. */
const generatedMark = '# Made by "evenkeel generate"';
const generatedMarks = [generatedMark, '// Made by "evenkeel generate"'];

/**
 * Compares generated files with those on disk, in the order of their paths. CRLF line ends count as equal. Throws
 * `output-not-written` if something other than a file is at a path.
 */
export async function compareWithDisk(files: readonly GeneratedFile[], output: string): Promise<OutputFile[]> {
  const wanted = await Promise.all(
    files.map(async ({ name, text, options }): Promise<OutputFile> => {
      const path = join(output, name);
      const written = await textOf(path);
      if (written === undefined) return { path, state: 'missing', text };
      if (written.replaceAll('\r\n', '\n') === text) return { path, state: 'current', text };
      const isOwn = generatedMarks.some((mark) => written.startsWith(mark));
      return { path, state: 'stale', text, replaced: written, ...(isOwn ? {} : { foreignBy: options }) };
    }),
  );
  const paths = new Set(wanted.map(({ path }) => path));
  const obsolete = await Promise.all(['crd', 'rbac'].map((folder) => obsoleteFiles(join(output, folder), paths)));
  return [...wanted, ...obsolete.flat()].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/**
 * Writes the files that differ and removes the obsolete ones; a current file keeps its modification time. It overwrites
 * foreign files, so the caller must reject those first. A file is replaced atomically: readers never see a part of it,
 * and an interrupted run leaves the old one. Throws `output-not-written` for the first file that cannot be written.
 */
export async function writeChanged(files: readonly OutputFile[]): Promise<void> {
  for (const { path, text, state } of files) {
    if (state === 'current') continue;
    try {
      if (text === undefined) await rm(path);
      else await replace(path, text);
    } catch (error) {
      throw notWritten(path, error);
    }
  }
}

async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // Replaces the target of a link, not the link.
  const target = await realpath(path).catch(() => path);
  const mode = (await stat(target).catch(() => undefined))?.mode;
  if (mode !== undefined && (mode & 0o200) === 0) throw Object.assign(new Error('read-only'), { code: 'EACCES' });
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    if (mode !== undefined) await chmod(temporary, mode & 0o777);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function obsoleteFiles(folder: string, wanted: ReadonlySet<string>): Promise<OutputFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw notWritten(folder, error);
  });
  const candidates = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => join(folder, entry.name))
    .filter((path) => !wanted.has(path));
  const generated = await Promise.all(candidates.map(isGenerated));
  return candidates.filter((_, index) => generated[index]).map((path) => ({ path, state: 'obsolete' }));
}

async function isGenerated(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(generatedMark.length), 0, generatedMark.length, 0);
    return buffer.toString('utf8', 0, bytesRead) === generatedMark;
  } finally {
    await file.close();
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw notWritten(path, error);
  }
}

function notWritten(path: string, error: unknown): EvenkeelError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'it or its folder is read-only; make it writable, or set another folder with "output"',
    EPERM: 'it or its folder is read-only; make it writable, or set another folder with "output"',
    EROFS: 'its file system is read-only; set another folder with "output"',
    EISDIR: 'it is a folder; move or delete the folder',
    EEXIST: 'a part of its path is a file; move or delete that file, or set another folder with "output"',
    ENOTDIR: 'a part of its path is a file; move or delete that file, or set another folder with "output"',
    ENOSPC: 'the disk is full; free some space',
  };
  const reason = code === undefined ? undefined : reasons[code];
  return new EvenkeelError('output-not-written', `${path}: cannot write the file: ${reason ?? message}`, {
    cause: error,
  });
}
