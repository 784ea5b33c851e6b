import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import type { Finding, SourceLocation } from '@evenkeel/schema';
import { CompilerOptions, UnreadableConfig } from './compiler-options.ts';
import { parseJsonWithComments } from './jsonc.ts';
import { sourceSpecifier } from './resolve-source.ts';

/** What the checks must know about the modules of a project. */
export interface LoadedSources {
  /** The URLs of the user's modules, except the configuration. */
  readonly modules: readonly string[];
  /** Whether one of them contains a decorator. */
  readonly hasDecorators: boolean;
  /** Whether a constructor gets parameters by their types. */
  readonly injects: boolean;
}

/** The settings of a project: its tsconfig.json with everything that it extends, and its package.json. */
export class ProjectSettings {
  /** The folder of the package. */
  readonly #root: string;
  /** Undefined without tsconfig.json. */
  readonly #options: CompilerOptions | UnreadableConfig | undefined;

  /** Reads the settings of the package that contains a folder. */
  constructor(folder: string) {
    this.#root = packageFolder(folder) ?? folder;
    try {
      this.#options = CompilerOptions.read(folder, this.#root);
    } catch (error) {
      if (!(error instanceof UnreadableConfig)) throw error;
      this.#options = error;
    }
  }

  /** Whether a module of the project is compiled with all its imports, except those with the word `type`. */
  keepsImports(path: string): boolean {
    const options = this.#options;
    return options instanceof CompilerOptions && options.get('verbatimModuleSyntax') === true && this.#contains(path);
  }

  /**
   * Finds settings with which `tsc` or the compiled program would fail, although the generator, which compiles the modules
   * itself, does not. A project without tsconfig.json or without TypeScript is not checked.
   */
  findings(sources: LoadedSources): Finding[] {
    const modules = sources.modules.map((url) => ({ url, path: fileURLToPath(url) }));
    const own = modules.filter(({ path }) => /\.m?ts$/.test(path) && this.#contains(path));
    const options = this.#options;
    if (own.length === 0 || options === undefined) return [];
    if (options instanceof UnreadableConfig) return [misconfigured(options.place, options.message)];
    return new SettingsCheck(options, this.#root, sources).findings(own);
  }

  #contains(path: string): boolean {
    return path.startsWith(`${this.#root}/`);
  }
}

interface OwnModule {
  readonly url: string;
  readonly path: string;
}

/** An import or export with a relative path. */
interface RelativeImport {
  readonly module: OwnModule;
  readonly specifier: string;
  readonly line: number;
}

const withoutModules = new Set(['none', 'commonjs', 'amd', 'umd', 'system']);
const withoutAwait = new Set(['es6', 'es2015', 'es2020']);
const withoutExports = new Set(['classic', 'node', 'node10']);
const oldTargets = new Set(['es3', 'es5', 'es6', 'es2015', 'es2016']);

class SettingsCheck {
  readonly #options: CompilerOptions;
  readonly #root: string;
  readonly #sources: LoadedSources;
  /** The major version of the project's TypeScript; undefined if it is not installed. */
  readonly #version: number | undefined;
  readonly #findings: Finding[] = [];

  constructor(options: CompilerOptions, root: string, sources: LoadedSources) {
    this.#options = options;
    this.#root = root;
    this.#sources = sources;
    this.#version = typescriptVersion(dirname(options.path));
  }

  findings(modules: readonly OwnModule[]): Finding[] {
    this.#checkDecorators();
    this.#checkTarget();
    this.#checkModules();
    if (this.#isNode && modules.some(({ path }) => path.endsWith('.ts'))) this.#checkPackageType();
    this.#checkImports(modules.flatMap(relativeImports));
    return this.#findings;
  }

  /** Whether imports are resolved, and the kind of a module is determined, as in Node. */
  get #isNode(): boolean {
    return /^node(\d\d|next)$/.test(String(this.#module));
  }

  /** With TypeScript's default, which depends on its version. */
  get #module(): string | undefined {
    const set = this.#options.get('module');
    if (typeof set === 'string') return set;
    if (this.#version === undefined) return undefined;
    if (this.#version >= 6) return 'esnext';
    return oldTargets.has(String(this.#target)) && !/^es(6|2015|2016)$/.test(String(this.#target))
      ? 'commonjs'
      : 'es2015';
  }

  get #target(): string | undefined {
    const set = this.#options.get('target');
    if (typeof set === 'string') return set;
    const module = this.#options.get('module');
    if (typeof module === 'string' && module.startsWith('node')) return 'esnext';
    return this.#version !== undefined && this.#version < 6 ? 'es5' : undefined;
  }

  get #moduleResolution(): string | undefined {
    const set = this.#options.get('moduleResolution');
    if (typeof set === 'string') return set;
    const isOld = this.#version !== undefined && this.#version < 6;
    return isOld && /^es(next|2022)$/.test(String(this.#module)) ? 'classic' : undefined;
  }

  #checkDecorators(): void {
    const { hasDecorators, injects } = this.#sources;
    if (hasDecorators && this.#options.get('experimentalDecorators') !== true) {
      this.#wrong(
        'experimentalDecorators',
        'true',
        'so the compiler treats decorators as standard decorators, which Evenkeel does not support',
      );
    }
    if (injects && this.#options.get('emitDecoratorMetadata') !== true) {
      this.#wrong(
        'emitDecoratorMetadata',
        'true',
        'so the compiled program does not know the classes of constructor parameters, and cannot inject them',
      );
    }
  }

  #checkTarget(): void {
    const target = this.#target ?? '';
    if (oldTargets.has(target)) this.#wrong('target', '"es2022"', `and ${target} has no top-level await`);
  }

  #checkModules(): void {
    const module = this.#module ?? '';
    const resolution = this.#moduleResolution ?? '';
    if (withoutModules.has(module)) {
      this.#wrong('module', '"nodenext"', `and ${module} is not a format of ES modules, which Evenkeel's packages are`);
    } else if (withoutAwait.has(module)) {
      this.#wrong('module', '"nodenext"', `and ${module} has no top-level await`);
    } else if (withoutExports.has(resolution)) {
      const why = `and ${resolution} resolution does not find packages with "exports", such as evenkeel`;
      this.#wrong('moduleResolution', '"nodenext", and "module" too', why);
    }
  }

  #checkPackageType(): void {
    const path = join(this.#root, 'package.json');
    const { value, lineOf } = parsed(path) ?? { value: {}, lineOf: () => undefined };
    const type = isJsonObject(value) ? value['type'] : undefined;
    if (type === 'module') return;
    const how = type === undefined ? '"type" is not set' : `"type" is ${JSON.stringify(type)}`;
    this.#report(
      { file: path, line: lineOf('type') ?? 1 },
      `${how}, so TypeScript and Node treat the project's .ts and .js files as CommonJS, without top-level await; add "type": "module"`,
    );
  }

  #checkImports(imports: readonly RelativeImport[]): void {
    const rewrites = this.#options.get('rewriteRelativeImportExtensions') === true;
    const allows = this.#options.get('allowImportingTsExtensions') === true;
    const emits = this.#options.get('noEmit') !== true && this.#options.get('emitDeclarationOnly') !== true;
    const [first, ...others] = imports.filter(({ specifier }) => /\.m?ts$/.test(specifier));
    if (first !== undefined && !rewrites && (!allows || emits)) {
      const count = others.length === 0 ? 'an import' : `${others.length + 1} imports, the first`;
      const place = `${relative(this.#root, first.module.path)}:${first.line}`;
      const why = allows
        ? 'so the compiled program would import .ts files'
        : 'so the compiler rejects imports that end with .ts';
      this.#report(
        this.#options.placeOf(allows ? 'allowImportingTsExtensions' : 'rewriteRelativeImportExtensions'),
        `"rewriteRelativeImportExtensions" is not set, ${why} (${count} in ${place}); add "rewriteRelativeImportExtensions": true`,
      );
    }
    if (!this.#isNode) return;
    for (const { module, specifier, line } of imports) {
      const found = sourceSpecifier(specifier, module.url);
      if (hasExtension(specifier) || found === specifier) continue;
      const written = rewrites || allows ? found : found.replace(/\.(m?)ts$/, '.$1js');
      this.#report(
        { file: module.path, line },
        `it imports "${specifier}" without the extension, which neither tsc (with "module": "${this.#module}") nor Node resolves; write "${written}"`,
      );
    }
  }

  #wrong(option: string, fix: string, why: string): void {
    const value = this.#options.get(option);
    const is = value === undefined ? 'is not set' : `is ${JSON.stringify(value)}`;
    this.#report(this.#options.placeOf(option), `"${option}" ${is}, ${why}; set "${option}": ${fix}`);
  }

  #report(place: SourceLocation, message: string): void {
    this.#findings.push(misconfigured(place, message));
  }
}

function misconfigured(location: SourceLocation, message: string): Finding {
  return { level: 'error', code: 'project-misconfigured', className: '', location, message };
}

function hasExtension(specifier: string): boolean {
  return /\.(?:[cm]?[jt]sx?|json|node|wasm)$/.test(specifier);
}

/** Searches line by line: `from './x'` is at the end of a statement that may start some lines above. */
function relativeImports(module: OwnModule): RelativeImport[] {
  const source = readFileSync(module.path, 'utf8');
  // Most modules of an API import only packages.
  if (!/['"]\.\.?['"/]/.test(source)) return [];
  return source.split('\n').flatMap((text, index) => {
    if (!/^\s{0,40}(?:import\b|export\b|\})/.test(text)) return [];
    const [, specifier] = /(?:\bfrom|^\s{0,40}import)\s{0,9}['"](\.\.?(?:\/[^'"]{0,1000})?)['"]/.exec(text) ?? [];
    return specifier === undefined ? [] : [{ module, specifier, line: index + 1 }];
  });
}

function packageFolder(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

function typescriptVersion(folder: string): number | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, 'node_modules', 'typescript', 'package.json');
    if (existsSync(path)) {
      const value = parsed(path)?.value;
      const [, major] = /^(\d{1,5})\./.exec(String(isJsonObject(value) ? value['version'] : '')) ?? [];
      return major === undefined ? undefined : Number(major);
    }
    if (at === dirname(at)) return undefined;
  }
}

/** Undefined if the file is missing or broken, which Node and npm report. */
function parsed(path: string): ReturnType<typeof parseJsonWithComments> | undefined {
  try {
    return parseJsonWithComments(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
