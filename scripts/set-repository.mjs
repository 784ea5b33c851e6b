// Writes the address of the repository into the packages. npm accepts a provenance only if it is that of the workflow, and a fork has
// another one, so the sources have none.
//
//   node scripts/set-repository.mjs OWNER/NAME
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { root: { type: 'string', default: dirname(dirname(fileURLToPath(import.meta.url))) } },
});
const [repository = ''] = positionals;
if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
  process.stderr.write(`set-repository: "${repository}" is not OWNER/NAME\n`);
  process.exit(1);
}
for (const path of globSync('packages/*/package.json', { cwd: values.root })) {
  const file = join(values.root, path);
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const url = `git+https://github.com/${repository}.git`;
  manifest.repository = { type: 'git', url, directory: dirname(path).replaceAll('\\', '/') };
  manifest.bugs = `https://github.com/${repository}/issues`;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
