import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EvenkeelError } from '@evenkeel/core';
import { ClassSources } from './class-sources.ts';
import { OxcSourceReader } from './oxc-source-reader.ts';
import type { SourceFile, SourceReader } from './source-file.ts';

/**
 * Reads the TypeScript sources of modules that this program runs, and of all modules of the program that they import:
 *
 *     const sources = await readSources('src/memcached.ts');
 *     await validate(Memcached, { spec: {} }, { sources });
 *
 * Name the modules as the program loads them. That is the TypeScript file if a loader compiles it in memory, as jest does
 * with `@swc/jest`, otherwise the compiled file, whose source map leads to the TypeScript. Vitest compiles only imports of
 * modules that it runs itself, so it needs `server: { deps: { inline: ['@evenkeel/schema'] } }` in its configuration. Each module is imported, which
 * runs no new code if the program has imported it by that name.
 *
 * Each file is read once per program, and the same modules return the same sources, so that many tests cost one reading.
 * Rejects with `invalid-option` if a file does not exist, and with `module-not-loaded` if a module cannot be imported.
 *
 * @param files paths relative to the working folder, or file URLs, such as `new URL('./memcached.ts', import.meta.url).href`.
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

/** Caches the files that it has read, because several lists may lead to the same module. */
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
    `readSources: the file ${path} does not exist; paths are relative to the working folder; for a file next to the module, pass new URL('./memcached.ts', import.meta.url).href`,
  );
}

async function importModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const fix =
      process.env['VITEST'] === undefined
        ? 'pass the modules as this program runs them, such as dist/memcached.js with its source map'
        : "add server: { deps: { inline: ['@evenkeel/schema'] } } to test in vitest.config.ts, so that Vitest compiles the module";
    throw new EvenkeelError(
      'module-not-loaded',
      `readSources: ${fileURLToPath(url)} cannot be imported: ${reason}; ${fix}`,
      { cause: error },
    );
  }
}
