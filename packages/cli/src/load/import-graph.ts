/** The imports between modules, with their specifiers, as they are loaded. */
export class ImportGraph {
  /** Whether a compiled module of the user contains decorators. */
  hasDecorators = false;
  /** By importing module, then by specifier. */
  readonly #imports = new Map<string, Map<string, string>>();

  add(from: string, specifier: string, to: string): void {
    const targets = this.#imports.get(from);
    if (targets === undefined) this.#imports.set(from, new Map([[specifier, to]]));
    else targets.set(specifier, to);
  }

  /** The module that an import was resolved to; undefined if it was not loaded, for example because it imports only types. */
  resolved(specifier: string, from: string): string | undefined {
    return this.#imports.get(from)?.get(specifier);
  }

  /** Returns every imported module that is not in a package, each once. */
  userModules(): string[] {
    const found = new Set<string>();
    for (const targets of this.#imports.values()) {
      for (const url of targets.values()) if (isUserModule(url)) found.add(url);
    }
    return [...found];
  }

  /** Returns one of the imports of a module. */
  importOf(to: string): { readonly importer: string; readonly specifier: string } | undefined {
    for (const [importer, targets] of this.#imports) {
      for (const [specifier, target] of targets) if (target === to) return { importer, specifier };
    }
    return undefined;
  }

  /** Returns every module that was imported with exactly this specifier, with one of its importers. */
  importedAs(specifier: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const [from, targets] of this.#imports) {
      const to = targets.get(specifier);
      if (to !== undefined && !found.has(to)) found.set(to, from);
    }
    return found;
  }

  /** Returns a shortest path from a module back to itself, with the module first and last; undefined if there is no cycle. */
  cycleThrough(module: string): readonly string[] | undefined {
    const cameFrom = new Map<string, string>();
    const open = [module];
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      for (const target of this.#imports.get(next)?.values() ?? []) {
        if (target === module) {
          const path = [module];
          for (let at: string | undefined = next; at !== undefined && at !== module; at = cameFrom.get(at))
            path.unshift(at);
          return [module, ...path];
        }
        if (cameFrom.has(target)) continue;
        cameFrom.set(target, next);
        open.push(target);
      }
    }
    return undefined;
  }
}

/** Whether a module belongs to the user's project, and not to a package. */
export function isUserModule(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/');
}
