import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import type { ReportedFinding } from './generation.ts';
import type { OutputFile } from './output-files.ts';

/** The digests of the files that the last run wrote. With them, the next run detects changes made by hand. */
export class WrittenFiles {
  readonly #folder: string;
  readonly #path: string;
  /** By the path relative to the folder. */
  readonly #digests: ReadonlyMap<string, string>;

  private constructor(folder: string, path: string, digests: ReadonlyMap<string, string>) {
    this.#folder = folder;
    this.#path = path;
    this.#digests = digests;
  }

  /**
   * Reads the record of a project. Without a readable one, nothing counts as changed by hand.
   *
   * @param folder the folder of the configuration.
   */
  static async read(folder: string): Promise<WrittenFiles> {
    const path = join(folder, '.evenkeel', 'generated.json');
    const text = await readFile(path, 'utf8').catch(() => '{}');
    return new WrittenFiles(folder, path, digestsIn(text));
  }

  /**
   * Renames the files that were changed by hand and that the next step would replace or remove. Returns what to report.
   *
   * @param shownFrom messages show file paths relative to this folder.
   */
  async keepEdited(files: readonly OutputFile[], shownFrom: string): Promise<ReportedFinding[]> {
    const findings: ReportedFinding[] = [];
    for (const { path, state } of files) {
      const digest = this.#digests.get(this.#nameOf(path));
      if (digest === undefined || (state !== 'stale' && state !== 'obsolete')) continue;
      const text = await readFile(path, 'utf8');
      if (digestOf(text) === digest) continue;
      const copy = freeName(`${path}.edited`);
      await rename(path, copy);
      findings.push(editedFile(relative(shownFrom, path), relative(shownFrom, copy)));
    }
    return findings;
  }

  /** Records the files of this run. A project whose folder cannot be written has no record. */
  async record(files: readonly OutputFile[]): Promise<void> {
    const digests = new Map(
      files.flatMap(({ path, text }) => (text === undefined ? [] : [[this.#nameOf(path), digestOf(text)]])),
    );
    const isSame =
      digests.size === this.#digests.size && [...digests].every(([name, digest]) => this.#digests.get(name) === digest);
    if (isSame) return;
    try {
      await mkdir(dirname(this.#path), { recursive: true });
      await writeFile(this.#path, `${JSON.stringify(Object.fromEntries(digests), undefined, 2)}\n`);
    } catch {
      return;
    }
  }

  #nameOf(path: string): string {
    return relative(this.#folder, path).replaceAll('\\', '/');
  }
}

/** An earlier copy may still be there. */
function freeName(path: string): string {
  let name = path;
  for (let count = 2; existsSync(name); count++) name = `${path}-${count}`;
  return name;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

function digestsIn(text: string): ReadonlyMap<string, string> {
  try {
    const value: unknown = JSON.parse(text);
    const entries = isJsonObject(value) ? Object.entries(value) : [];
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map();
  }
}

function editedFile(shown: string, copy: string): ReportedFinding {
  const message = `${shown} was changed by hand, and generate replaces it; the changed file is kept as ${copy}. Move the change to the declarations or an overlay, and delete the copy`;
  return { level: 'notice', code: 'edited-output', className: '', message, text: message };
}
