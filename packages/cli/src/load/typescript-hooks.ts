import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'oxc-transform';
import { decoratorHelperSource, decoratorHelperUrl } from './decorator-helpers.ts';
import { ImportFailure } from './import-failure.ts';
import { type ImportGraph, isUserModule } from './import-graph.ts';
import { sourceSpecifier } from './resolve-source.ts';

/**
 * Lets this process import the user's TypeScript. Decorators are compiled as with `experimentalDecorators` and
 * `emitDecoratorMetadata`, which Node's own type stripping does not support. Packages in node_modules are JavaScript
 * and load unchanged. Every import is added to `graph`; an unresolved one throws an {@link ImportFailure}.
 * `keepsImports` decides whether imports that are used only as types stay in a module.
 *
 * Modules that are loaded stay, so use a process that only loads user code and then exits. Returns what removes the hooks.
 */
export function registerTypescriptHooks(graph: ImportGraph, keepsImports: (path: string) => boolean): () => void {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const helper = decoratorHelperUrl(specifier);
      if (helper !== undefined) {
        graph.hasDecorators = true;
        return { url: helper, format: 'module', shortCircuit: true };
      }
      const { parentURL } = context;
      if (parentURL === undefined) return nextResolve(specifier, context);
      try {
        const resolved = nextResolve(sourceSpecifier(specifier, parentURL), context);
        graph.add(parentURL, specifier, resolved.url);
        return resolved;
      } catch (error) {
        // Packages may test whether optional packages are installed.
        if (!isUserModule(parentURL)) throw error;
        throw new ImportFailure(specifier, parentURL, error);
      }
    },
    load(url, context, nextLoad) {
      const helper = decoratorHelperSource(url);
      if (helper !== undefined) return { source: helper, format: 'module', shortCircuit: true };
      if (!isUserModule(url) || !/\.m?ts$/.test(url)) return nextLoad(url, context);
      const path = fileURLToPath(url);
      return { source: compile(path, keepsImports(path)), format: 'module', shortCircuit: true };
    },
  });
  return () => hooks.deregister();
}

function compile(path: string, onlyRemoveTypeImports: boolean): string {
  const text = readFileSync(path, 'utf8');
  const { code, map, errors } = transformSync(path, text, {
    lang: 'ts',
    sourceType: 'module',
    sourcemap: true,
    typescript: { onlyRemoveTypeImports },
    decorator: { legacy: true, emitDecoratorMetadata: true },
  });
  const [mistake] = errors;
  if (mistake !== undefined) {
    const before = text.slice(0, mistake.labels[0]?.start ?? 0).split('\n');
    const error = new SyntaxError(mistake.message);
    // The location must be in the user's file, not in this one.
    error.stack = `${error}\n    at ${path}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
    throw error;
  }
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}\n`;
}
