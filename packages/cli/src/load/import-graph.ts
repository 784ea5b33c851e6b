/** Which module imports which, as they are loaded. */
export class ImportGraph {
  readonly #imports = new Map<string, Set<string>>();

  add(from: string, to: string): void {
    const targets = this.#imports.get(from);
    if (targets === undefined) this.#imports.set(from, new Set([to]));
    else targets.add(to);
  }

  /** A shortest way from a module back to itself, the module first and last; undefined where there is none. */
  cycleThrough(module: string): readonly string[] | undefined {
    const cameFrom = new Map<string, string>();
    const open = [module];
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      for (const target of this.#imports.get(next) ?? []) {
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
