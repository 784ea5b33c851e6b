import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes output of the compiler of removed sources, which it keeps and `npm pack` would publish: each `dist/x.d.ts` and
 * `dist/x.d.ts.map` of a package or example without its `src/x.ts`, and each such `dist/x.js` of an example. The JavaScript of
 * packages is the matter of bundle.mjs. Ignores other files of a dist, and a dist without a src
 * next to it. Call it after a build, when the compiler has forgotten the sources too. Returns the removed paths.
 */
export function removeStaleOutput(root) {
  return Object.entries(outputs).flatMap(([group, output]) =>
    filesIn(join(root, group), false)
      .map((name) => join(root, group, name))
      .filter((folder) => existsSync(join(folder, 'src')))
      .flatMap((folder) => staleIn(folder, output))
      .map((file) => {
        rmSync(file);
        return file;
      }),
  );
}

const outputs = { packages: /\.d\.ts(?:\.map)?$/, examples: /\.(?:js|d\.ts(?:\.map)?)$/ };

function staleIn(folder, output) {
  const sources = new Set(filesIn(join(folder, 'src'), true));
  return filesIn(join(folder, 'dist'), true)
    .filter((file) => output.test(file) && !sources.has(file.replace(output, '.ts')))
    .map((file) => join(folder, 'dist', file));
}

function filesIn(folder, recursive) {
  return existsSync(folder) ? readdirSync(folder, { recursive }) : [];
}
