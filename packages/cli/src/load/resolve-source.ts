import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The source files that an import may mean in TypeScript, by the ending of its specifier. */
const sourceEndings: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.js$/, ['.ts']],
  [/\.mjs$/, ['.mts']],
  [/$/, ['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js']],
];

/**
 * Converts a relative import to one that Node resolves: `./nginx.js` if only `nginx.ts` exists, because TypeScript lets
 * an import name the compiled file; and `./nginx` and `./api` (for `api/index.ts`), which bundlers and CommonJS
 * support. Returns all other specifiers unchanged, also those that do not exist.
 */
export function sourceSpecifier(specifier: string, parentUrl: string | undefined): string {
  if (parentUrl?.startsWith('file:') !== true || !/^\.\.?(\/|$)/.test(specifier)) return specifier;
  const exists = (candidate: string) => isFile(new URL(candidate, parentUrl));
  if (exists(specifier)) return specifier;
  for (const [ending, sources] of sourceEndings) {
    if (!ending.test(specifier)) continue;
    const found = sources
      .map((source) => specifier.replace(/\/$/, '').replace(ending, source))
      .find((candidate) => exists(candidate));
    if (found !== undefined) return found;
  }
  return specifier;
}

function isFile(url: URL): boolean {
  return statSync(fileURLToPath(url), { throwIfNoEntry: false })?.isFile() === true;
}
