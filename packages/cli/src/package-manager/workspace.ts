import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { parse } from 'yaml';
import { npm, type PackageManager, packageManagers } from './package-manager.ts';

/** The packages that one lockfile locks. */
export interface Workspace {
  /** The folder of the lockfile. */
  readonly root: string;
  readonly manager: PackageManager;
  /** The folders with a package.json, the root first. */
  readonly folders: readonly string[];
}

/**
 * Returns the workspace of a package: the nearest folder with a lockfile, if the package is that folder or one of its workspaces.
 * Otherwise, the workspace is only the package.
 *
 * @param folder that of a package.json.
 */
export function workspaceOf(folder: string): Workspace {
  for (let root = folder; ; root = dirname(root)) {
    const manager = managerOf(root);
    if (manager !== undefined) {
      const folders = [root, ...memberFolders(root)];
      if (folders.includes(folder)) return { root, manager, folders };
    }
    if (dirname(root) === root) return { root: folder, manager: npm, folders: [folder] };
  }
}

/** The package manager with a lockfile in a folder. If there are several, `packageManager` of package.json chooses. */
function managerOf(folder: string): PackageManager | undefined {
  const found = packageManagers.filter(({ lockfiles }) => lockfiles.some((name) => existsSync(join(folder, name))));
  if (found.length < 2) return found[0];
  const named = readObject(join(folder, 'package.json'), JSON.parse)['packageManager'];
  return found.find(({ name }) => typeof named === 'string' && named.startsWith(`${name}@`)) ?? found[0];
}

function memberFolders(root: string): string[] {
  const { workspaces } = readObject(join(root, 'package.json'), JSON.parse);
  const ofPnpm = readObject(join(root, 'pnpm-workspace.yaml'), parse)['packages'];
  const declared = [workspaces, isJsonObject(workspaces) ? workspaces['packages'] : undefined, ofPnpm];
  const patterns = declared
    .flatMap((each) => (Array.isArray(each) ? each : []))
    .filter((each) => typeof each === 'string');
  const select = (chosen: readonly string[]): string[] =>
    globSync(
      chosen.map((pattern) => `${pattern.replace(/\/$/, '')}/package.json`),
      { cwd: root, exclude: (name) => name.split(/[\\/]/).includes('node_modules') },
    );
  const excluded = new Set(select(patterns.flatMap((pattern) => (pattern.startsWith('!') ? [pattern.slice(1)] : []))));
  return select(patterns.filter((pattern) => !pattern.startsWith('!')))
    .filter((path) => !excluded.has(path))
    .sort()
    .map((path) => dirname(join(root, path)))
    .filter((folder) => folder !== root);
}

function readObject(path: string, read: (text: string) => unknown): Readonly<Record<string, unknown>> {
  try {
    const value = read(readFileSync(path, 'utf8'));
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
