import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The file URL that `specifier` means in the module at `from`; undefined where that is not known. */
export type ResolveModule = (specifier: string, from: string) => string | undefined;

/** Finds the files that imports mean, of which many modules of a folder have the same. */
export class ModuleResolution {
  readonly #resolveOther: ResolveModule;
  readonly #known = new Map<string, string | undefined>();

  constructor(resolveOther: ResolveModule = () => undefined) {
    this.#resolveOther = resolveOther;
  }

  /**
   * The file an import means, written for the compiled file or for the source. Undefined for what is not of the program
   * itself: packages in node_modules, Node's own modules, and what does not exist.
   */
  resolve(specifier: string, from: string): string | undefined {
    if (specifier.startsWith('./') || specifier.startsWith('../')) {
      // A loader may follow more than Node does, such as imports without an ending.
      return existing(new URL(specifier, from).href) ?? this.#resolveOther(specifier, from);
    }
    const key = `${from.slice(0, from.lastIndexOf('/'))} ${specifier}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#resolvePackage(specifier, from));
    return this.#known.get(key);
  }

  #resolvePackage(specifier: string, from: string): string | undefined {
    if (isBuiltin(specifier)) return undefined;
    const url = this.#resolveOther(specifier, from) ?? resolveByNode(specifier, from);
    if (url === undefined || !url.startsWith('file:') || url.includes('/node_modules/')) return undefined;
    return existing(url);
  }
}

function resolveByNode(specifier: string, from: string): string | undefined {
  try {
    return pathToFileURL(createRequire(from).resolve(specifier)).href;
  } catch {
    return undefined; // A type-only package, or one that `import` alone may enter.
  }
}

const extensions: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.js', '.ts', '.tsx', '.d.ts'],
  '.mjs': ['.mjs', '.mts', '.d.mts'],
  '.cjs': ['.cjs', '.cts', '.d.cts'],
  '.ts': ['.ts', '.js'],
  '.mts': ['.mts', '.mjs'],
  '.cts': ['.cts', '.cjs'],
  '.tsx': ['.tsx', '.js'],
  // Imports of types need not be anything that Node would find.
  '': ['.ts', '.tsx', '.mts', '.cts', '.js', '.d.ts', '/index.ts', '/index.js'],
};

/** TypeScript may import the compiled file's name where only the source exists, and the other way around. */
function existing(url: string): string | undefined {
  const extension = /\.(?:[mc]?[jt]s|tsx)$/.exec(url)?.[0] ?? '';
  for (const candidate of extensions[extension] ?? []) {
    const file = url.slice(0, url.length - extension.length) + candidate;
    if (existsSync(fileURLToPath(file))) return file;
  }
  return undefined;
}
