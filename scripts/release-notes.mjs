// Prints what CHANGELOG.md says about the version of a tag. Fails unless all packages have that version.
//
//   node scripts/release-notes.mjs v0.2.0
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { notesOf } from './changelog.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [tag = ''] = process.argv.slice(2);
const version = tag.replace(/^v/, '');
for (const path of globSync('packages/*/package.json', { cwd: root })) {
  const manifest = JSON.parse(readFileSync(join(root, path), 'utf8'));
  if (manifest.version !== version) fail(`${manifest.name} has the version ${manifest.version}, and the tag is ${tag}`);
}
const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
if (notes === undefined) fail(`CHANGELOG.md has no section of ${version}; run npm run version:all -- ${version}`);
process.stdout.write(`${notes}\n`);

function fail(text) {
  process.stderr.write(`release-notes: ${text}\n`);
  process.exit(1);
}
