import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** An import or re-export statement of a source file. */
export interface Import {
  /** The importing file, relative to the root, with forward slashes. */
  readonly file: string;
  /** For relative imports, a file relative to the root; otherwise the specifier. */
  readonly target: string;
  /** Whether the compiler removes the statement, so that it loads nothing. */
  readonly typeOnly: boolean;
  /** An `import()`, which loads nothing before it is called. */
  readonly dynamic: boolean;
}

/** Returns every import statement below `folder`, found by text search. */
export function importsBelow(folder: string): Import[] {
  return sourceFilesBelow(folder).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const imports: Import[] = [];
    for (const match of text.matchAll(
      /^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm,
    )) {
      const specifier = match[2] ?? match[3] ?? '';
      imports.push({
        file,
        target: specifier.startsWith('.')
          ? relative(root, resolve(root, dirname(file), specifier)).replaceAll('\\', '/')
          : specifier,
        typeOnly: match[1] !== undefined,
        dynamic: match[3] !== undefined,
      });
    }
    return imports;
  });
}

/** Returns the imports that form circles, and those on a path from one circle to another. Type imports count too. */
export function importsInCircles(imports: readonly Import[]): Import[] {
  let left = [...imports];
  for (;;) {
    const importers = new Set(left.map(({ file }) => file));
    const targets = new Set(left.map(({ target }) => target));
    const kept = left.filter(({ file, target }) => targets.has(file) && importers.has(target));
    if (kept.length === left.length) return kept;
    left = kept;
  }
}

export function sourceFilesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !/(^|\/)(dist|node_modules)\//.test(file))
    .sort();
}

export const isTest = (file: string): boolean => /\.(test|fixture)\.ts$/.test(file);
