// Gives all packages a new version, and in CHANGELOG.md moves what was not released yet below that version.
//
//   npm run version:all -- 0.2.0
//
// Options: --root FOLDER (another checkout), --date YYYY-MM-DD (default: today).
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { releasedChangelog } from './changelog.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: dirname(dirname(fileURLToPath(import.meta.url))) },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
});
const [version = ''] = positionals;
if (!/^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(version))
  fail(`"${version}" is not a version such as 0.2.0 or 0.2.0-rc.1`);

const { root } = values;
const read = (path) => readFileSync(join(root, path), 'utf8');
const published = globSync('packages/*/package.json', { cwd: root }).sort();
const names = new Set(published.map((path) => JSON.parse(read(path)).name));
if (names.size === 0) fail(`${root} has no packages`);

const before = read('CHANGELOG.md');
const changelog = attempt(() => releasedChangelog(before, version, values.date));
for (const path of [...published, ...globSync('examples/*/package.json', { cwd: root }).sort()]) {
  const manifest = JSON.parse(read(path));
  if (names.has(manifest.name)) manifest.version = version;
  replaceRanges(manifest);
  write(path, manifest);
}
for (const path of globSync('package-lock.json', { cwd: root })) {
  const lock = JSON.parse(read(path));
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (published.includes(`${folder}/package.json`)) entry.version = version;
    replaceRanges(entry);
  }
  write(path, lock);
}
writeFileSync(join(root, 'CHANGELOG.md'), changelog);
process.stdout.write(
  `${names.size} packages and the changelog have the version ${version}; commit them, and tag the commit v${version}\n`,
);

/** The packages depend on exactly one version of one another. Ranges with a prefix, as in examples, keep it. */
function replaceRanges(manifest) {
  for (const section of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']) {
    for (const [name, range] of Object.entries(manifest[section] ?? {})) {
      if (names.has(name)) manifest[section][name] = range.replace(/\d+\.\d+\.\d+\S*/, version);
    }
  }
}

function write(path, value) {
  writeFileSync(join(root, path), `${JSON.stringify(value, null, 2)}\n`);
}

function attempt(action) {
  try {
    return action();
  } catch (error) {
    return fail(error.message);
  }
}

function fail(text) {
  process.stderr.write(`version: ${text}\n`);
  process.exit(1);
}
