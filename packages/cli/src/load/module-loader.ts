import { setSourceMapsSupport } from 'node:module';
import { type Finding, findingText } from '@evenkeel/schema';
import { ImportFailure } from './import-failure.ts';
import { ImportGraph } from './import-graph.ts';
import { loadFailure } from './load-failure.ts';
import { sourceSpecifier } from './resolve-source.ts';
import { registerTypescriptHooks } from './typescript-hooks.ts';

export type ModuleExports = Readonly<Record<string, unknown>>;

/**
 * Loads the user's modules into this process, and goes on where one does not load. There is no way back: a process that
 * makes one loads user code and ends.
 */
export class ModuleLoader {
  readonly graph = new ImportGraph();
  readonly #folder: string;
  /** By what was thrown: modules that import a broken one all throw the same. */
  readonly #failures = new Map<unknown, string[]>();

  /** Files are named from `folder` in what is found. */
  constructor(folder: string) {
    this.#folder = folder;
    // Only from here on, and not for packages: reading the maps of everything costs more than loading it.
    setSourceMapsSupport(true, { nodeModules: false });
    registerTypescriptHooks(this.graph);
  }

  /** The exports of a module; undefined where it did not load, which {@link failures} tells. */
  async load(url: string): Promise<ModuleExports | undefined> {
    try {
      return (await import(url)) as ModuleExports;
    } catch (thrown) {
      const error = explained(thrown, this.graph);
      const modules = this.#failures.get(error);
      if (modules === undefined) this.#failures.set(error, [url]);
      else if (!modules.includes(url)) modules.push(url);
      return undefined;
    }
  }

  /** Where an import leads, also one that is gone when modules run because it is of types. */
  resolve(specifier: string, from: string): string | undefined {
    const loaded = this.graph.resolved(specifier, from);
    if (loaded !== undefined) return loaded;
    const source = sourceSpecifier(specifier, from);
    return source === specifier ? undefined : new URL(source, from).href;
  }

  /** Notes something that was thrown while nobody waited for it. */
  fail(error: unknown): void {
    if (!this.#failures.has(error)) this.#failures.set(error, []);
  }

  /** Why modules did not load, one for each cause. */
  get failures(): readonly LoadFailure[] {
    const context = { graph: this.graph, folder: this.#folder };
    // Where modules cannot even be linked, each that imports them throws an error of its own.
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
  /** For a person who asks for it, with its causes. */
  readonly stack: string;
}

/** Node names the file that cannot be loaded so, but not the import that asks for it. */
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
