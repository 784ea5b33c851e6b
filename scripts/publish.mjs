// Publishes tarballs of the packages, each after those that it depends on. Packages that the registry has already are skipped, so
// an interrupted release can be repeated.
//
//   node scripts/publish.mjs FOLDER [--provenance]
//
// A pre-release gets the tag "next", and all others "latest".
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { provenance: { type: 'boolean', default: false } },
});
const [folder = '.'] = positionals;
const waiting = new Map(globSync('*.tgz', { cwd: folder }).map((file) => [file, manifestIn(join(folder, file))]));
if (waiting.size === 0) fail(`${folder} has no tarballs; run npm pack first`);
const versions = new Set([...waiting.values()].map(({ version }) => version));
if (versions.size > 1) fail(`the tarballs have several versions: ${[...versions].join(', ')}`);

while (waiting.size > 0) {
  const unpublished = new Set([...waiting.values()].map(({ name }) => name));
  const next = [...waiting].find(
    ([, { dependencies = {} }]) => !Object.keys(dependencies).some((name) => unpublished.has(name)),
  );
  if (next === undefined) fail(`${[...unpublished].join(', ')} depend on one another`);
  const [file, manifest] = next;
  publish(file, manifest);
  waiting.delete(file);
}

function publish(file, { name, version }) {
  const tag = version.includes('-') ? 'next' : 'latest';
  const options = [
    '--access',
    'public',
    '--tag',
    tag,
    '--ignore-scripts',
    ...(values.provenance ? ['--provenance'] : []),
  ];
  const { status } = spawnSync('npm', ['publish', resolve(folder, file), ...options], { stdio: ['ignore', 2, 2] });
  if (status === 0) process.stdout.write(`${name}@${version} published with the tag ${tag}\n`);
  else if (isPublished(name, version)) process.stdout.write(`${name}@${version} is published already\n`);
  else fail(`${name}@${version} was not published; see above, and run the command again`);
}

/** The registry rejects a version that it has. */
function isPublished(name, version) {
  const { status, stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'version', '--loglevel=silent'], {
    encoding: 'utf8',
  });
  return status === 0 && stdout.trim() === version;
}

function manifestIn(path) {
  return JSON.parse(execFileSync('tar', ['-xzOf', path, 'package/package.json'], { encoding: 'utf8' }));
}

function fail(text) {
  process.stderr.write(`publish: ${text}\n`);
  process.exit(1);
}
