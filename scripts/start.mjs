// Runs an example with `evenkeel dev`: `npm start -- --example NAME`, and examples/nginx without the option. The other arguments are
// those of `evenkeel dev`.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [, , ...given] = process.argv;
const at = given.findIndex((word) => word === '--example' || word.startsWith('--example='));
const [word = '--example=nginx', ...values] = at === -1 ? [] : given.slice(at, at + 2);
const isSeparate = word === '--example';
const name = isSeparate ? values[0] : word.slice('--example='.length);
const others = at === -1 ? given : given.toSpliced(at, isSeparate ? 2 : 1);

const folder = join(import.meta.dirname, '../examples');
const config = `examples/${name}/evenkeel.config.ts`;
const names = readdirSync(folder).filter((each) => existsSync(join(folder, each, 'evenkeel.config.ts')));
if (names.includes(name)) {
  process.argv.splice(2, process.argv.length, 'dev', '--config', config, ...others);
  await import('../packages/cli/bin/evenkeel.js');
} else {
  const problem = name ? `--example ${name}: unknown example` : '--example needs a name';
  process.stderr.write(`error: ${problem}; use one of ${names.join(', ')}\n`);
  process.exitCode = 1;
}
