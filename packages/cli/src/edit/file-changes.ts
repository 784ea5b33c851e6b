import { readFileSync } from 'node:fs';
import { chmod, readFile, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import { createFolder } from '../create-folder.ts';
import { notWritten } from '../scaffold/new-files.ts';

/** A file that a command creates, changes or deletes. */
export interface FileChange {
  /** The absolute path. */
  readonly path: string;
  /** Undefined for a file that does not exist. */
  readonly before: string | undefined;
  /** Undefined for a file that is deleted. */
  readonly after: string | undefined;
}

/** The planned contents of files. Nothing is written before {@link FileChanges.write}. */
export class FileChanges {
  readonly #files = new Map<string, { readonly before: string | undefined; after: string | undefined }>();

  /** The planned text of a file; undefined if it does not exist then. */
  read(path: string): string | undefined {
    const planned = this.#files.get(path);
    return planned === undefined ? textOf(path) : planned.after;
  }

  /** Plans the text of a file, or with undefined its deletion. */
  set(path: string, text: string | undefined): void {
    const planned = this.#files.get(path);
    if (planned === undefined) this.#files.set(path, { before: textOf(path), after: text });
    else planned.after = text;
  }

  /** In the order in which they were planned. */
  changes(): FileChange[] {
    return [...this.#files]
      .map(([path, { before, after }]) => ({ path, before, after }))
      .filter(({ before, after }) => before !== after);
  }

  /** A unified diff that `git apply` and `patch -p1` accept, with paths relative to a folder. */
  diff(folder: string): string {
    return this.changes()
      .map(({ path, before, after }) => {
        const shown = relative(folder, path).replaceAll('\\', '/');
        const patch = structuredPatch(
          before === undefined ? '/dev/null' : `a/${shown}`,
          after === undefined ? '/dev/null' : `b/${shown}`,
          before ?? '',
          after ?? '',
          '',
          '',
          { context: 3 },
        );
        return formatPatch(patch, FILE_HEADERS_ONLY);
      })
      .join('');
  }

  /**
   * Writes all changes or none: if one fails, those before it are undone. A changed file is replaced by a rename, so that a reader never
   * sees a part of it. Throws `output-not-written` if this fails, or if a file has changed since it was read. Removes folders that become
   * empty.
   *
   * @param folder is not removed, nor are folders above it.
   */
  async write(folder: string): Promise<void> {
    const undo: (() => Promise<unknown>)[] = [];
    const finish: (() => Promise<unknown>)[] = [];
    for (const change of this.changes()) {
      try {
        await writeOne(change, undo, finish);
      } catch (error) {
        for (const step of undo.reverse()) await step();
        throw error instanceof EvenkeelError ? error : notWritten(change.path, error as NodeJS.ErrnoException);
      }
    }
    for (const step of finish) await step();
    for (const { path, after } of this.changes())
      if (after === undefined) await removeEmptyFolders(dirname(path), folder);
  }
}

async function writeOne(
  { path, before, after }: FileChange,
  undo: (() => Promise<unknown>)[],
  finish: (() => Promise<unknown>)[],
): Promise<void> {
  if (before === undefined) {
    const first = await createFolder(dirname(path));
    if (first !== undefined) undo.push(() => rm(first, { recursive: true, force: true }));
    await writeFile(path, after ?? '', { flag: 'wx' });
    undo.push(() => rm(path, { force: true }));
    return;
  }
  // A link stays a link.
  const target = after === undefined ? path : await realpath(path);
  if ((await readFile(target, 'utf8')) !== before) {
    throw new EvenkeelError('output-not-written', `${path}: was changed meanwhile; run the command again`);
  }
  const aside = join(dirname(target), `.${basename(target)}.evenkeel-${process.pid}`);
  if (after === undefined) {
    await rename(target, aside);
    undo.push(() => rename(aside, target));
    finish.push(() => rm(aside, { force: true }));
    return;
  }
  undo.push(() => rm(aside, { force: true }));
  await replace(target, after, aside);
  undo.push(() => replace(target, before, aside));
}

async function replace(path: string, text: string, aside: string): Promise<void> {
  await writeFile(aside, text, { flag: 'wx' });
  await chmod(aside, (await stat(path)).mode);
  await rename(aside, path);
}

async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let empty = folder; empty !== root && !relative(root, empty).startsWith('..'); empty = dirname(empty)) {
    const isRemoved = await rmdir(empty).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new EvenkeelError('invalid-option', `${path}: cannot read it: ${(error as Error).message}`, { cause: error });
  }
}
