import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { classModules } from './class-modules.ts';
import { normaliseDefinition } from './definitions.ts';
import { descriptionModules, descriptionsOf } from './descriptions.ts';
import { inGoOrder } from './go-order.ts';
import { readRecordings } from './recordings.ts';
import { builtinGroups, discoveryModule } from './resources.ts';
import { schemaModules } from './schema-modules.ts';

const target = join(import.meta.dirname, '../../packages/kinds/src/generated');

/**
 * Returns every generated file by its path under `packages/kinds/src/generated`. The same recordings and files of
 * `generate-protobuf.ts` give the same files. For a new Kubernetes release, run this program, then `generate-protobuf.ts`, and
 * this program again: each needs the names that the other one writes.
 */
export function generate(folder: string): Map<string, string> {
  const recordings = readRecordings(folder);
  const definitions = new Map(
    [...recordings.definitions].map(([name, schema]) => [name, normaliseDefinition(schema)] as const),
  );
  const groups = builtinGroups(recordings, definitions);
  const descriptions = descriptionsOf(recordings.definitions);
  return new Map([
    ...classModules(definitions, descriptions, groups),
    ...descriptionModules(descriptions),
    ...schemaModules(inGoOrder(definitions, join(target, 'protobuf'))),
    ['discovery.ts', discoveryModule(groups)],
  ]);
}

/**
 * Returns the generated files that are missing, different or obsolete in the work tree, except those of
 * `generate-protobuf.ts`.
 */
export function staleFiles(files: ReadonlyMap<string, string>): string[] {
  const present = existsSync(target)
    ? readdirSync(target, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(target, join(entry.parentPath, entry.name)))
        .filter((path) => !path.startsWith('protobuf/'))
    : [];
  const changed = [...files].filter(([path, text]) => !present.includes(path) || read(path) !== text);
  return [...changed.map(([path]) => path), ...present.filter((path) => !files.has(path))].sort();
}

function read(path: string): string {
  return readFileSync(join(target, path), 'utf8');
}

function main(args: readonly string[]): number {
  const [folder, ...others] = args.filter((argument) => argument !== '--check');
  if (folder === undefined || others.length > 0) {
    console.error('usage: node scripts/kinds/generate.ts FOLDER [--check]');
    return 2;
  }
  const files = generate(folder);
  const stale = staleFiles(files);
  if (args.includes('--check')) {
    for (const path of stale) console.error(`stale: ${path}`);
    return stale.length === 0 ? 0 : 1;
  }
  for (const path of stale) {
    const text = files.get(path);
    if (text === undefined) rmSync(join(target, path));
    else {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      writeFileSync(join(target, path), text);
    }
  }
  console.log(`${files.size} files, ${stale.length} written or removed`);
  return 0;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
