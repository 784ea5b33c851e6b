import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes build output of removed sources, which the compiler keeps and `npm pack` would publish: each `dist/x.js`,
 * `dist/x.d.ts` and `dist/x.d.ts.map` of a package or example without its `src/x.ts`. Ignores other files of a dist, and a dist without a src
 * next to it. Call it after a build, when the compiler has forgotten the sources too. Returns the removed paths.
 */
export function removeStaleOutput(root) {
  return ['packages', 'examples'].flatMap((group) =>
    filesIn(join(root, group), false)
      .map((name) => join(root, group, name))
      .filter((folder) => existsSync(join(folder, 'src')))
      .flatMap(staleIn)
      .map((file) => {
        rmSync(file);
        return file;
      }),
  );
}

function staleIn(folder) {
  const sources = new Set(filesIn(join(folder, 'src'), true));
  return filesIn(join(folder, 'dist'), true)
    .filter(
      (file) =>
        /\.(?:js|d\.ts(?:\.map)?)$/.test(file) && !sources.has(file.replace(/\.(?:js|d\.ts(?:\.map)?)$/, '.ts')),
    )
    .map((file) => join(folder, 'dist', file));
}

function filesIn(folder, recursive) {
  return existsSync(folder) ? readdirSync(folder, { recursive }) : [];
}
