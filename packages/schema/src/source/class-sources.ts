import { fileURLToPath } from 'node:url';
import type { AnyClass } from '@evenkeel/core';
import type { Finding } from '../finding/finding.ts';
import { BuiltInModules } from './built-in-modules.ts';
import { ModuleResolution, type ResolveModule } from './module-resolution.ts';
import type {
  ClassSource,
  ConstantSource,
  DecoratorSource,
  SourceFile,
  SourceReader,
  SourceType,
} from './source-file.ts';
import { locateSource } from './source-location.ts';

/** The declaration that a name refers to. */
export type ResolvedName =
  | { readonly is: 'class'; readonly type?: AnyClass; readonly source?: ClassSource }
  | {
      readonly is: 'type';
      readonly type: SourceType;
      readonly parameters: readonly string[];
      readonly module: SourceModule;
      /** The members of an enum. */
      readonly constant?: ConstantSource;
    }
  | { readonly is: 'interface'; readonly name: string; readonly source: ClassSource }
  | { readonly is: 'constant'; readonly constant: ConstantSource; readonly module: SourceModule }
  /** A Kubernetes type, by the name of its definition. */
  | { readonly is: 'builtIn'; readonly definition: string };

/** A class of a module, as in the source. */
export interface WrittenClass {
  readonly source: ClassSource;
  /** Whether its module exports it, under any name. */
  readonly isExported: boolean;
  /** The decorators by their exported names, without a namespace. */
  readonly decorators: readonly DecoratorSource[];
}

/** A loaded module and its TypeScript source. */
export interface SourceModule {
  readonly url: string;
  readonly file: SourceFile;
  /** Its exports; undefined if it was not loaded, because only its types are used. */
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** How {@link readSources} reads files and resolves imports. */
export interface ReadSourcesOptions {
  readonly reader: SourceReader;
  /** Loads a module that the program has already loaded, so it runs no new code. Default: `import()`. */
  readonly importModule?: (url: string) => Promise<Readonly<Record<string, unknown>>>;
  /**
   * Resolves an import that is not a relative path to a file, as the program's loader does. Default: Node's resolution of
   * `#imports` and of packages whose files are outside of node_modules, such as the package itself and its workspaces.
   */
  readonly resolveModule?: ResolveModule;
}

/**
 * Links the classes of a running program with their sources. Without modules it is empty, and the generation uses only
 * decorators and initialisers.
 */
export class ClassSources {
  readonly #modules = new Map<string, SourceModule>();
  /** The URLs of imported modules by file and specifier, only for modules that were read. */
  readonly #imported = new Map<SourceFile, Map<string, string>>();
  readonly #byClass = new Map<AnyClass, { source: ClassSource; module: SourceModule }>();
  readonly #moduleOfFile = new Map<string, SourceModule>();
  readonly #standIns = new Map<ClassSource, AnyClass>();
  readonly #builtIns = new BuiltInModules();
  readonly #findings: Finding[] = [];

  /** The files that could not be read; the generation continues without them. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Whether no TypeScript was read at all. */
  get isEmpty(): boolean {
    return this.#modules.size === 0;
  }

  /** The source of a class; `near` is the class that refers to it, for classes that are not exported. */
  sourceOf(type: AnyClass, near?: ClassSource): ClassSource | undefined {
    const known = this.#byClass.get(type);
    if (known !== undefined || near === undefined) return known?.source;
    const module = this.#moduleOfFile.get(near.file);
    const local = module?.file.classes.get(type.name);
    if (local === undefined || this.#exportedClass(module, local.name) !== undefined) return undefined;
    return local;
  }

  /** The classes of a module and of the modules that it re-exports from, including classes that are not exported. */
  classesOf(moduleUrl: string): readonly WrittenClass[] {
    const found: WrittenClass[] = [];
    const urls = new Set([moduleUrl]);
    for (const url of urls) {
      const file = this.#modules.get(url)?.file;
      if (file === undefined) continue;
      const exported = new Set(file.exports.values());
      for (const source of file.classes.values()) {
        const decorators = (source.decorators ?? []).map((one) => ({ ...one, name: importedName(one.name, file) }));
        found.push({ source, isExported: exported.has(source.name), decorators });
      }
      for (const { specifier } of file.reExports) {
        const target = this.#imported.get(file)?.get(specifier);
        if (target !== undefined) urls.add(target);
      }
    }
    return found;
  }

  /** The declaration of `name` in a file, or in the file of a class. Dots separate namespaces. */
  resolve(name: string, from: string | ClassSource | SourceModule): ResolvedName | undefined {
    const module =
      typeof from === 'string'
        ? this.#moduleOfFile.get(from)
        : 'url' in from
          ? from
          : this.#moduleOfFile.get(from.file);
    return module === undefined ? undefined : this.#resolve(name, module, new Set());
  }

  /** The module specifier of an imported name; undefined for a name that is not imported. */
  importedFrom(name: string, file: string): string | undefined {
    const [first = ''] = name.split('.');
    return this.#moduleOfFile.get(file)?.file.imports.get(first)?.specifier;
  }

  /** Whether the module of a class exports it, under any name. */
  isExported(source: ClassSource | undefined): boolean {
    const exports = source === undefined ? undefined : this.#moduleOfFile.get(source.file)?.file.exports;
    return exports !== undefined && [...exports.values()].includes(source?.name ?? '');
  }

  /** The declaration of a constant or an enum, in any module. */
  constant(name: string, from: string): ConstantSource | undefined {
    const resolved = this.resolve(name, from);
    return resolved?.is === 'constant' || resolved?.is === 'type' ? resolved.constant : undefined;
  }

  /**
   * A class that represents an interface or an object type literal, which does not exist at run time, so that it can be
   * read like a class. The same for the same source; `name` is for messages.
   */
  standInFor(members: ClassSource, name: string, base: AnyClass | undefined): AnyClass {
    let standIn = this.#standIns.get(members);
    if (standIn === undefined) {
      const made: AnyClass = class extends ((base ?? Object) as new () => object) {};
      Object.defineProperty(made, 'name', { value: name });
      const module = this.#moduleOfFile.get(members.file);
      if (module !== undefined) this.#byClass.set(made, { source: members, module });
      this.#standIns.set(members, made);
      standIn = made;
    }
    return standIn;
  }

  /** Whether {@link standInFor} created the class. */
  isStandIn(type: AnyClass): boolean {
    const source = this.#byClass.get(type)?.source;
    return source !== undefined && this.#standIns.get(source) === type;
  }

  #resolve(name: string, module: SourceModule, seen: Set<string>): ResolvedName | undefined {
    const { file } = module;
    const source = file.classes.get(name);
    if (source !== undefined) {
      const type = this.#exportedClass(module, name);
      return { is: 'class', source, ...(type === undefined ? {} : { type }) };
    }
    const constant = file.constants.get(name);
    const alias = file.types.get(name);
    if (alias !== undefined) return { is: 'type', ...alias, module, ...(constant === undefined ? {} : { constant }) };
    const declared = file.interfaces.get(name);
    if (declared !== undefined) return { is: 'interface', name, source: declared };
    if (constant !== undefined) return { is: 'constant', constant, module };
    const [first = '', ...rest] = name.split('.');
    const imported = file.imports.get(first);
    if (imported === undefined) return undefined;
    if (imported.name !== '*') {
      return rest.length > 0 ? undefined : this.#resolveExport(imported.specifier, imported.name, module, seen);
    }
    return rest.length === 0 ? undefined : this.#resolveExport(imported.specifier, rest.join('.'), module, seen);
  }

  #resolveExport(specifier: string, name: string, from: SourceModule, seen: Set<string>): ResolvedName | undefined {
    const definition = this.#builtIns.definitionOf(specifier, name);
    if (definition !== undefined) return { is: 'builtIn', definition };
    const url = this.#imported.get(from.file)?.get(specifier);
    const module = url === undefined ? undefined : this.#modules.get(url);
    if (module === undefined || seen.has(`${module.url} ${name}`)) return undefined;
    seen.add(`${module.url} ${name}`);
    const local = module.file.exports.get(name);
    if (local !== undefined) return this.#resolve(local, module, seen);
    const [first = '', ...rest] = name.split('.');
    for (const reExport of module.file.reExports) {
      const isNamespace = reExport.name === '*' && reExport.exported === first && rest.length > 0;
      if (reExport.exported !== name && reExport.exported !== '*' && !isNamespace) continue;
      const inner = isNamespace ? rest.join('.') : reExport.exported === '*' ? name : reExport.name;
      const found = this.#resolveExport(reExport.specifier, inner, module, seen);
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

  /** Reads modules, by their file URLs, and all modules of the program that they import. */
  static async read(moduleUrls: readonly string[], options: ReadSourcesOptions): Promise<ClassSources> {
    const { reader, importModule = (url: string) => import(url), resolveModule } = options;
    const resolution = new ModuleResolution(resolveModule);
    const sources = new ClassSources();
    const isLoaded = new Map<string, boolean>(moduleUrls.map((url) => [url, true]));
    // The map grows during the iteration: the imports of a module are read after it.
    for (const url of isLoaded.keys()) {
      const located = locateSource(url);
      if (located === undefined) {
        if (moduleUrls.includes(url)) sources.#findings.push(sourceNotFound(url));
        continue;
      }
      const file = reader.read(located.path, located.text);
      sources.#reportMistakes(file);
      const loads = isLoaded.get(url) === true;
      const imported = new Map<string, string>();
      for (const { specifier, typeOnly } of [...file.imports.values(), ...file.reExports]) {
        if (await sources.#builtIns.load(specifier)) continue;
        const target = imported.get(specifier) ?? resolution.resolve(specifier, url);
        if (target === undefined) continue;
        imported.set(specifier, target);
        isLoaded.set(target, (isLoaded.get(target) ?? false) || (loads && !typeOnly));
      }
      sources.#imported.set(file, imported);
      sources.#modules.set(url, { url, file });
    }
    for (const [url, module] of sources.#modules) {
      const loads = isLoaded.get(url) === true && module.file.classes.size > 0 && !/\.d\.[mc]?ts$/.test(url);
      sources.#link(loads ? { ...module, exports: await importModule(url) } : module);
    }
    return sources;
  }

  #link(module: SourceModule): void {
    this.#modules.set(module.url, module);
    this.#moduleOfFile.set(module.file.path, module);
    for (const source of module.file.classes.values()) {
      const type = this.#exportedClass(module, source.name);
      if (type !== undefined) this.#byClass.set(type, { source, module });
    }
  }

  #reportMistakes(file: SourceFile): void {
    for (const { line, message } of file.mistakes) {
      this.#findings.push({
        level: 'error',
        code: 'source-not-parsed',
        className: '',
        location: { file: file.path, line },
        message: `${message.replace(/\.$/, '')}; fix the syntax, because the types of this file are unknown without it`,
      });
    }
  }
}

/** The exported name of an import: `CustomResource` for `Kind` if it is imported as that, and for `evenkeel.CustomResource`. */
function importedName(name: string, { imports }: SourceFile): string {
  const [first = '', ...rest] = name.split('.');
  const imported = imports.get(first)?.name;
  return rest.at(-1) ?? (imported === undefined || imported === 'default' ? first : imported);
}

function sourceNotFound(url: string): Finding {
  const file = fileURLToPath(url);
  return {
    level: 'notice',
    code: 'source-not-found',
    className: '',
    message: `${file}: its TypeScript was not found, so the CRD has no descriptions, and "?" and declared types are unknown; build with "sourceMap": true and keep the sources next to the map, or list the TypeScript file itself, also instead of a bundle`,
  };
}
