import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EvenkeelError } from '@evenkeel/core';
import { ClassSources } from './class-sources.ts';
import { OxcSourceReader } from './oxc-source-reader.ts';
import type { SourceFile, SourceReader } from './source-file.ts';

/**
 * Reads the TypeScript of modules that this program runs, and of all that they import from their own program:
 *
 *     const sources = await readSources('src/memcached.ts');
 *     await validate(Memcached, { spec: {} }, { sources });
 *
 * Name the modules as the program loads them: the TypeScript where a loader compiles it in memory, as jest does with
 * `@swc/jest`; else what it was compiled to, whose source map leads to the TypeScript. Each is imported, which runs nothing
 * new where the program has imported it by that name.
 *
 * Reads each file once for the whole program: the same modules give the same sources, so that many tests cost one reading.
 * Rejects with `invalid-option` where there is no such file, `module-not-loaded` where one cannot be imported.
 *
 * @param files paths from the working folder, or file URLs, such as `new URL('./memcached.ts', import.meta.url).href`.
 */
export async function readSources(files: string | readonly string[]): Promise<ClassSources> {
  const urls = [...new Set((typeof files === 'string' ? [files] : files).map(urlOf))].sort();
  const key = urls.join('\n');
  let sources = known.get(key);
  if (sources === undefined) {
    sources = ClassSources.read(urls, { reader, importModule });
    known.set(key, sources);
    sources.catch(() => known.delete(key));
  }
  return sources;
}

const known = new Map<string, Promise<ClassSources>>();

/** Keeps what it has read, for modules that several lists lead to. */
class RememberingReader implements SourceReader {
  readonly #reader = new OxcSourceReader();
  readonly #files = new Map<string, SourceFile>();

  read(path: string, text: string): SourceFile {
    let file = this.#files.get(path);
    if (file === undefined) {
      file = this.#reader.read(path, text);
      this.#files.set(path, file);
    }
    return file;
  }
}

const reader = new RememberingReader();

function urlOf(file: string): string {
  const path = file.startsWith('file:') ? fileURLToPath(file) : resolve(file);
  if (existsSync(path)) return pathToFileURL(path).href;
  throw new EvenkeelError(
    'invalid-option',
    `readSources: there is no file ${path}; paths count from the working folder, and new URL('./memcached.ts', import.meta.url).href is one beside the module that says it`,
  );
}

async function importModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EvenkeelError(
      'module-not-loaded',
      `readSources: ${fileURLToPath(url)} cannot be imported: ${reason}; give the modules as this program runs them, such as dist/memcached.js with its source map`,
      { cause: error },
    );
  }
}
