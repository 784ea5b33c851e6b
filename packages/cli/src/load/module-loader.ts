import { setSourceMapsSupport } from 'node:module';
import { type Finding, findingText } from '@evenkeel/schema';
import { ImportFailure } from './import-failure.ts';
import { ImportGraph } from './import-graph.ts';
import { loadFailure, missingExportOf } from './load-failure.ts';
import { sourceSpecifier } from './resolve-source.ts';
import { registerTypescriptHooks } from './typescript-hooks.ts';

export type ModuleExports = Readonly<Record<string, unknown>>;

/**
 * Loads the user's modules into this process, and continues if one fails. This cannot be undone, so use a process that
 * only loads user code and then exits.
 */
export class ModuleLoader {
  readonly graph = new ImportGraph();
  /** Whether the project's compiler keeps imports of a module that are used only as types (`verbatimModuleSyntax`). */
  keepsImports: (path: string) => boolean = () => false;
  /** Loads no further modules; imports of this process work as before. */
  readonly close: () => void;
  readonly #folder: string;
  /** By thrown value, because all importers of a broken module throw the same value. */
  readonly #failures = new Map<unknown, string[]>();
  /** The names that modules export, by URL. Only of those that lack an imported name. */
  readonly #exports = new Map<string, readonly string[]>();

  /** Findings show file paths relative to `folder`. */
  constructor(folder: string) {
    this.#folder = folder;
    // Not earlier, and not for packages: reading all source maps costs more than loading the modules.
    setSourceMapsSupport(true, { nodeModules: false });
    this.close = registerTypescriptHooks(this.graph, (path) => this.keepsImports(path));
  }

  /** Returns the exports of a module; undefined if it did not load. {@link failures} has the reason. */
  async load(url: string): Promise<ModuleExports | undefined> {
    try {
      return (await import(url)) as ModuleExports;
    } catch (thrown) {
      const error = explained(thrown, this.graph);
      await this.#readExports(error);
      const modules = this.#failures.get(error);
      if (modules === undefined) this.#failures.set(error, [url]);
      else if (!modules.includes(url)) modules.push(url);
      return undefined;
    }
  }

  /** Reads the names of a module that lacks an imported one, for a hint. */
  async #readExports(error: unknown): Promise<void> {
    const module = missingExportOf(error, this.graph)?.module;
    if (module === undefined || this.#exports.has(module)) return;
    try {
      this.#exports.set(module, Object.keys((await import(module)) as ModuleExports));
    } catch {
      // The module did not load either. Its own failure is reported where something else imports it.
      this.#exports.set(module, []);
    }
  }

  /** Resolves an import, including an import of types, which does not exist at run time. */
  resolve(specifier: string, from: string): string | undefined {
    const loaded = this.graph.resolved(specifier, from);
    if (loaded !== undefined) return loaded;
    const source = sourceSpecifier(specifier, from);
    return source === specifier ? undefined : new URL(source, from).href;
  }

  /** Records an error that nothing handled. */
  fail(error: unknown): void {
    if (!this.#failures.has(error)) this.#failures.set(error, []);
  }

  /** The failures of modules that did not load, one for each cause. */
  get failures(): readonly LoadFailure[] {
    const context = { graph: this.graph, folder: this.#folder, exports: this.#exports };
    // If modules cannot be linked, each importer throws a separate error.
    const byCause = new Map<string, { error: unknown; modules: string[] }>();
    for (const [error, modules] of this.#failures) {
      const cause = findingText(loadFailure([], error, context));
      const known = byCause.get(cause);
      if (known === undefined) byCause.set(cause, { error, modules: [...modules] });
      else known.modules.push(...modules.filter((url) => !known.modules.includes(url)));
    }
    return [...byCause.values()].map(({ error, modules }) => ({
      finding: loadFailure(modules, error, context),
      stack: stackOf(error),
    }));
  }
}

export interface LoadFailure {
  readonly finding: Finding;
  /** The stack with its causes, for `--verbose`. */
  readonly stack: string;
}

/** Node names the file that cannot be loaded, but not the import. */
function explained(error: unknown, graph: ImportGraph): unknown {
  const { code, message } = (error instanceof Error ? error : {}) as { code?: string; message?: string };
  if (code !== 'ERR_IMPORT_ATTRIBUTE_MISSING') return error;
  const found = graph.importOf(/"(file:[^"]+)"/.exec(message ?? '')?.[1] ?? '');
  return found === undefined ? error : new ImportFailure(found.specifier, found.importer, error);
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
