import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../imports.fixture.ts';

const run = promisify(execFile);

/** The packages that users install, by folder. */
export const folders = [
  ...['apimachinery', 'core', 'kinds', 'client', 'schema', 'olm', 'runtime', 'apiserver', 'testing', 'cli', 'evenkeel'],
];

/** Packs build output. `npm test` builds first; a direct run of jest may not. */
export const isBuilt = folders.every((folder) => existsSync(join(root, 'packages', folder, 'dist/.tsbuildinfo')));

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly sideEffects: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The result of `npm pack` for a package: the size of its tarball, and its files. */
export interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as Manifest;
}

/** The folder into which `scripts/packed.sh` has packed all packages for all checks, with npm's report. */
const packedBefore = process.env['EVENKEEL_PACKED'];

/** Packs all packages into `destination`, or only reports what would be packed. */
export async function pack(destination?: string): Promise<readonly Packed[]> {
  if (packedBefore !== undefined && destination !== undefined) {
    const report: Packed[] = JSON.parse(readFileSync(join(packedBefore, 'packed.json'), 'utf8'));
    const names = new Set(folders.map((folder) => manifestOf(folder).name));
    const packed = Object.values(report).filter(({ name }) => names.has(name));
    for (const { filename } of packed) await copyFile(join(packedBefore, filename), join(destination, filename));
    return packed;
  }
  const workspaces = folders.flatMap((folder) => ['--workspace', `packages/${folder}`]);
  const to = destination === undefined ? ['--dry-run'] : ['--pack-destination', destination];
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--loglevel=error', ...workspaces, ...to],
    {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return Object.values(JSON.parse(stdout) as Packed[]);
}

/** Returns the specifiers of a package, with the files for each condition. */
export function entryPoints(manifest: Manifest, files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [path, { 'evenkeel-source': _source, ...conditions }] of Object.entries(manifest.exports)) {
    const targets = Object.values(conditions).map((target) => target.slice('./'.length));
    for (const word of path.includes('*') ? wordsFor(targets[0] ?? '', files) : ['']) {
      const specifier = join(manifest.name, path.replace('*', word));
      found.set(
        specifier,
        targets.map((target) => target.replace('*', word)),
      );
    }
  }
  return found;
}

/** Returns the values of the star in a pattern, from the existing files. */
function wordsFor(pattern: string, files: readonly string[]): readonly string[] {
  const [before = '', after = ''] = pattern.split('*');
  return files
    .filter((file) => file.startsWith(before) && file.endsWith(after))
    .map((file) => file.slice(before.length, file.length - after.length));
}
