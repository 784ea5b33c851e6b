import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What TypeScript lets an import be written for, by the ending it is written with. */
const sourceEndings: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.js$/, ['.ts']],
  [/\.mjs$/, ['.mts']],
  [/$/, ['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js']],
];

/**
 * A relative import as Node can follow it: `./nginx.js` where only `nginx.ts` exists, because TypeScript lets an import
 * be written for the compiled file; `./nginx` and `./api` (for `api/index.ts`), which bundlers and CommonJS follow.
 * Everything else as it is, also what does not exist.
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
