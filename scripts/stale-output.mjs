import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes what was built of sources that are gone, which the compiler leaves and `npm pack` would ship: each `dist/x.js` and
 * `dist/x.d.ts` of a package or example without its `src/x.ts`. Nothing else in a dist is looked at, and no dist without
 * a src beside it. To be called after a build, for that is when the compiler has forgotten them too. Gives their paths.
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
    .filter((file) => /\.(?:js|d\.ts)$/.test(file) && !sources.has(file.replace(/\.(?:js|d\.ts)$/, '.ts')))
    .map((file) => join(folder, 'dist', file));
}

function filesIn(folder, recursive) {
  return existsSync(folder) ? readdirSync(folder, { recursive }) : [];
}
