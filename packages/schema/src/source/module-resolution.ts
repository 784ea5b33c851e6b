import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Returns the file URL of `specifier` in the module at `from`; undefined if unknown. */
export type ResolveModule = (specifier: string, from: string) => string | undefined;

/** Finds the files of imports. It caches them, because modules of a folder have many common imports. */
export class ModuleResolution {
  readonly #resolveOther: ResolveModule;
  readonly #known = new Map<string, string | undefined>();

  constructor(resolveOther: ResolveModule = () => undefined) {
    this.#resolveOther = resolveOther;
  }

  /**
   * The file of an import, which may name the compiled file or the source. Undefined for imports outside of the program:
   * packages in node_modules, Node's modules, and missing files.
   */
  resolve(specifier: string, from: string): string | undefined {
    if (specifier.startsWith('./') || specifier.startsWith('../')) {
      // A loader may resolve more than Node does, such as imports without an extension.
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
    return undefined; // A type-only package, or one that only `import` can load.
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
  // Node does not need to find imports of types.
  '': ['.ts', '.tsx', '.mts', '.cts', '.js', '.d.ts', '/index.ts', '/index.js'],
};

/** TypeScript may import the name of the compiled file if only the source exists, and the other way round. */
function existing(url: string): string | undefined {
  const extension = /\.(?:[mc]?[jt]s|tsx)$/.exec(url)?.[0] ?? '';
  for (const candidate of extensions[extension] ?? []) {
    const file = url.slice(0, url.length - extension.length) + candidate;
    if (existsSync(fileURLToPath(file))) return file;
  }
  return undefined;
}
