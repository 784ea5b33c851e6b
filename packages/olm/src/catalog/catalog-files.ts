import { posix } from 'node:path';
import type { CatalogDocument } from './catalog-document.ts';
import { splitDocuments } from './catalog-document.ts';
import { type DocumentEdit, EditError, editDocument } from './edit-document.ts';
import type { CatalogFile } from './read-catalog.ts';

/** The files of a catalog while they are being changed. Nothing is written to disk. */
export class CatalogFiles {
  readonly #files: Map<string, CatalogFile>;
  readonly #before: ReadonlyMap<string, string>;
  #all: readonly CatalogFile[] | undefined;

  constructor(files: readonly CatalogFile[]) {
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#before = new Map(files.map(({ path, text }) => [path, text]));
  }

  /** All files, sorted by their paths. The same array until a file changes. */
  get all(): readonly CatalogFile[] {
    this.#all ??= [...this.#files.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
    return this.#all;
  }

  /** The new texts of the files that differ from those on disk, by their paths. */
  changed(): Map<string, string> {
    return new Map(
      this.all.filter(({ path, text }) => this.#before.get(path) !== text).map(({ path, text }) => [path, text]),
    );
  }

  /** Edits one document. Everything else in the file keeps its bytes. Throws EditError with the place. */
  edit(document: CatalogDocument, edit: DocumentEdit): void {
    try {
      this.replace(document, editDocument(document.text, edit));
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      throw new EditError(`${document.file}:${document.line}: ${error.message}`);
    }
  }

  /** Replaces the text of a document. */
  replace({ file, start, end }: CatalogDocument, text: string): void {
    const before = this.#files.get(file)?.text ?? '';
    this.#put(file, `${before.slice(0, start)}${text}${before.slice(end)}`);
  }

  /** Adds a document to the end of a file, which is created if it is missing. */
  append(path: string, text: string): void {
    const before = this.#files.get(path)?.text ?? '';
    const isJson = posix.extname(path) === '.json';
    const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
    this.#put(path, `${ended}${isJson ? '' : '---\n'}${text}`);
  }

  /** Replaces a whole file, which is created if it is missing. */
  write(path: string, text: string): void {
    this.#put(path, text);
  }

  #put(path: string, text: string): void {
    this.#all = undefined;
    this.#files.set(path, { path, text, documents: splitDocuments(path, text) });
  }
}
