import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AnyClass } from '@evenkeel/core';
import type { Finding } from '../finding.ts';
import type { ClassSource, SourceFile, SourceReader, SourceType } from './source-file.ts';
import { locateSource } from './source-location.ts';

/** What a name means where it is written. */
export type ResolvedName =
  | { readonly is: 'class'; readonly type?: AnyClass; readonly source?: ClassSource }
  | { readonly is: 'type'; readonly type: SourceType; readonly module: SourceModule }
  | { readonly is: 'interface'; readonly name: string };

/** A loaded module and the TypeScript it was made from. */
export interface SourceModule {
  readonly url: string;
  readonly file: SourceFile;
  /** Its exports; undefined where it was not loaded, because only its types are used. */
  readonly exports?: Readonly<Record<string, unknown>>;
}

export interface ReadSourcesOptions {
  readonly reader: SourceReader;
  /** Loads a module that the program has loaded already, and so runs nothing new. Default: `import()`. */
  readonly importModule?: (url: string) => Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Links the classes of a running program with the text they were written in. Without any module it knows nothing, and
 * generation goes on with what decorators and initialisers say.
 */
export class ClassSources {
  readonly #modules = new Map<string, SourceModule>();
  readonly #byClass = new Map<AnyClass, { source: ClassSource; module: SourceModule }>();
  readonly #moduleOf = new Map<ClassSource, SourceModule>();
  readonly #findings: Finding[] = [];

  /** What could not be read; generation goes on without it. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** The text of a class; `near` is the class that refers to it, for classes that are not exported. */
  sourceOf(type: AnyClass, near?: ClassSource): ClassSource | undefined {
    const known = this.#byClass.get(type);
    if (known !== undefined || near === undefined) return known?.source;
    const module = this.#moduleOf.get(near);
    const local = module?.file.classes.get(type.name);
    if (local === undefined || this.#exportedClass(module, local.name) !== undefined) return undefined;
    return local;
  }

  /** What `name` means in the module of `from`. */
  resolve(name: string, from: ClassSource | SourceModule): ResolvedName | undefined {
    const module = 'file' in from && 'url' in from ? from : this.#moduleOf.get(from);
    return module === undefined ? undefined : this.#resolve(name, module, new Set());
  }

  #resolve(name: string, module: SourceModule, seen: Set<string>): ResolvedName | undefined {
    const { file } = module;
    const source = file.classes.get(name);
    if (source !== undefined) {
      const type = this.#exportedClass(module, name);
      return { is: 'class', source, ...(type === undefined ? {} : { type }) };
    }
    const alias = file.types.get(name);
    if (alias !== undefined) return { is: 'type', type: alias, module };
    if (file.interfaces.has(name)) return { is: 'interface', name };
    const imported = file.imports.get(name);
    return imported === undefined ? undefined : this.#resolveExport(imported.specifier, imported.name, module, seen);
  }

  #resolveExport(specifier: string, name: string, from: SourceModule, seen: Set<string>): ResolvedName | undefined {
    const url = resolveRelative(specifier, from.url);
    const module = url === undefined ? undefined : this.#modules.get(url);
    if (module === undefined || seen.has(`${module.url} ${name}`)) return undefined;
    seen.add(`${module.url} ${name}`);
    const local = module.file.exports.get(name);
    if (local !== undefined) return this.#resolve(local, module, seen);
    for (const reExport of module.file.reExports) {
      if (reExport.exported !== name && reExport.exported !== '*') continue;
      const found = this.#resolveExport(
        reExport.specifier,
        reExport.exported === '*' ? name : reExport.name,
        module,
        seen,
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #exportedClass(module: SourceModule | undefined, localName: string): AnyClass | undefined {
    if (module?.exports === undefined) return undefined;
    for (const [exported, local] of module.file.exports) {
      const value = local === localName ? module.exports[exported] : undefined;
      if (typeof value === 'function') return value as AnyClass;
    }
    return undefined;
  }

  /** Reads modules, by their file URLs, and all that they import by relative paths. */
  static async read(moduleUrls: readonly string[], options: ReadSourcesOptions): Promise<ClassSources> {
    const { reader, importModule = (url: string) => import(url) } = options;
    const sources = new ClassSources();
    const isLoaded = new Map<string, boolean>(moduleUrls.map((url) => [url, true]));
    // The map grows while it is walked: what a module imports is read after it.
    for (const url of isLoaded.keys()) {
      const located = await locateSource(url);
      if (located === undefined) {
        if (moduleUrls.includes(url)) sources.#findings.push(sourceNotFound(url));
        continue;
      }
      const file = reader.read(located.path, located.text);
      const loads = isLoaded.get(url) === true;
      for (const { specifier, typeOnly } of [...file.imports.values(), ...file.reExports]) {
        const imported = resolveRelative(specifier, url);
        if (imported !== undefined) isLoaded.set(imported, (isLoaded.get(imported) ?? false) || (loads && !typeOnly));
      }
      sources.#modules.set(url, { url, file });
    }
    for (const [url, module] of sources.#modules) {
      const { file } = module;
      if (file.classes.size === 0) continue;
      const loads = isLoaded.get(url) === true;
      sources.#link(loads ? { ...module, exports: await importModule(url) } : module);
    }
    return sources;
  }

  #link(module: SourceModule): void {
    this.#modules.set(module.url, module);
    for (const source of module.file.classes.values()) {
      this.#moduleOf.set(source, module);
      const type = this.#exportedClass(module, source.name);
      if (type !== undefined) this.#byClass.set(type, { source, module });
    }
  }
}

function sourceNotFound(url: string): Finding {
  const file = fileURLToPath(url);
  return {
    level: 'notice',
    code: 'source-not-found',
    className: '',
    message: `${file}: its TypeScript was not found, so the CRD has no descriptions and knows neither "?" nor declared types; build with "sourceMap": true and keep the sources beside the map`,
  };
}

const extensions: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.js', '.ts'],
  '.mjs': ['.mjs', '.mts'],
  '.ts': ['.ts', '.js'],
  '.mts': ['.mts', '.mjs'],
};

/** The file a relative import means, written for the compiled file or for the source. Undefined for packages. */
function resolveRelative(specifier: string, from: string): string | undefined {
  if (!specifier.startsWith('./') && !specifier.startsWith('../')) return undefined;
  const url = new URL(specifier, from).href;
  const extension = /\.m?[jt]s$/.exec(url)?.[0] ?? '';
  for (const candidate of extensions[extension] ?? []) {
    const file = url.slice(0, -extension.length) + candidate;
    if (existsSync(fileURLToPath(file))) return file;
  }
  return undefined;
}
