import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';

/** A package of npm with code in the bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As package.json has it. */
  readonly license: string | undefined;
}

/**
 * Returns the packages of a bundle's modules, sorted, each version once.
 *
 * @param modules the ids of the modules with code in the bundle: paths, and names that start with NUL for the bundler's own.
 * @param application the folder of the application, whose own modules are omitted.
 */
export function bundledPackages(modules: readonly string[], application: string): BundledPackage[] {
  const byFolder = new Map<string, BundledPackage | undefined>();
  const found = new Map<string, BundledPackage>();
  for (const id of modules) {
    const isVirtual = id.startsWith('\0');
    if (!isVirtual && isOwn(id, application)) continue;
    const made = isVirtual ? fromVirtual(id) : packageOf(dirname(id.replace(/\?.*$/s, '')), byFolder);
    if (made !== undefined) found.set(`${made.name}@${made.version}`, made);
  }
  return [...found.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

function isOwn(id: string, application: string): boolean {
  const path = relative(application, id);
  return !path.startsWith('..') && !isAbsolute(path) && !path.split(sep).includes('node_modules');
}

/** A helper that the compiler adds, such as `\0@oxc-project+runtime@0.158.0/helpers/esm/decorate.js`. */
function fromVirtual(id: string): BundledPackage | undefined {
  const [, name, version] = /^\0(@?[\w+.-]+)@(\d[\w.+-]*)\//.exec(id) ?? [];
  if (name === undefined || version === undefined) return undefined;
  return { name: name.replace('+', '/'), version, license: undefined };
}

/** The nearest package with a name and a version: a package may have files package.json that only say `type`. */
function packageOf(folder: string, known: Map<string, BundledPackage | undefined>): BundledPackage | undefined {
  if (known.has(folder)) return known.get(folder);
  const parent = dirname(folder);
  const found = packageIn(folder) ?? (parent === folder ? undefined : packageOf(parent, known));
  known.set(folder, found);
  return found;
}

function packageIn(folder: string): BundledPackage | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
  if (!isJsonObject(content)) return undefined;
  const { name, version, license } = content;
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  return { name, version, license: typeof license === 'string' ? license : undefined };
}
