// Prints the test files whose result depends on what else is on the machine: those that use, themselves or by a file that they
// import, a program by its name, or the folder next to the checkout. The others behave in the same way everywhere.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const git = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'];
const files = execFileSync('git', git, { cwd: root, encoding: 'utf8' }).trim().split('\n');
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** `spawn('openssl', ...)`, `run('tar', ...)`, and a shell. A fresh clone needs git and npm anyway. */
const program =
  /(?<![.\w])(?:spawn|exec|execFile|run|startInTerminal)(?:Sync)?\(\s*['"`](?!git['"`]|npm['"`])[\w./-]+['"`],/;
/** The control plane itself is for `npm run conformance`, which the fresh clone runs too: `npm test` uses it nowhere. */
const neighbour = /['"`/]\.\.['"`]?[,/]\s*['"`]?shared\b/;
const ofConformance = 'test/control-plane.fixture.ts';

const importers = new Map();
for (const [file, text] of texts) {
  for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const target = relative(root, join(root, dirname(file), specifier));
    importers.set(target, [...(importers.get(target) ?? []), file]);
  }
}
const isTestCode = (file) => /\.(?:test|fixture)\.ts$/.test(file) || /^(?:test|bench)\//.test(file);
const found = new Set();
const open = [...texts]
  .filter(
    ([file, text]) => isTestCode(file) && (program.test(text) || (neighbour.test(text) && file !== ofConformance)),
  )
  .map(([file]) => file);
for (const file of open) {
  if (found.has(file)) continue;
  found.add(file);
  open.push(...(importers.get(file) ?? []).filter(isTestCode));
}
const tests = [...found].filter((file) => /\.test\.ts$/.test(file) && !/\.server\.test\.ts$/.test(file));
process.stdout.write(`${tests.sort().join('\n')}\n`);
