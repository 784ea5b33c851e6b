import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finding } from '@evenkeel/schema';
import type { ImportGraph } from './import-graph.ts';

/**
 * Packages whose decorators the generator reads. All copies of class-validator and reflect-metadata in a process share
 * what they record. Copies of the others do not, so the generator does not see what a second copy records.
 */
const packages: readonly { readonly name: string; readonly isShared: boolean }[] = [
  { name: '@evenkeel/core', isShared: false },
  { name: '@evenkeel/runtime', isShared: false },
  { name: 'class-transformer', isShared: false },
  { name: 'class-validator', isShared: true },
  { name: 'reflect-metadata', isShared: true },
];

/** Reports loaded modules that use another copy of a package than the generator, with the folders of both. */
export function packageCopies(graph: ImportGraph, folder: string): Finding[] {
  return packages.flatMap(({ name, isShared }) => {
    const imported = graph.importedAs(name);
    if (imported.size === 0) return [];
    const own = ownFolder(name);
    const findings: Finding[] = [];
    const seen = new Set([own]);
    for (const [url, importer] of imported) {
      if (!url.startsWith('file:') || !importer.startsWith('file:')) continue;
      const other = packageFolder(fileURLToPath(url), name);
      if (own === undefined || other === undefined || seen.has(other)) continue;
      seen.add(other);
      const shown = (path: string) => relative(folder, path);
      const importedBy = `${shown(other)} (imported by ${shown(fileURLToPath(importer))})`;
      findings.push({
        level: isShared ? 'notice' : 'error',
        code: 'duplicate-package',
        className: '',
        message: isShared
          ? `there are two copies of ${name}: ${importedBy} and ${shown(own)}; they only work together if their versions are compatible (${versionOf(other)} and ${versionOf(own)}); run "npm ls ${name}" to find what installs them, and try "npm dedupe"`
          : `there are two copies of ${name}: ${importedBy} and ${shown(own)}; one copy does not see what decorators of the other record; run "npm ls ${name}" to find what installs them, and try "npm dedupe"`,
      });
    }
    return findings;
  });
}

/** The copy that the generator reads. */
function ownFolder(name: string): string | undefined {
  const schema = fileURLToPath(import.meta.resolve('@evenkeel/schema'));
  if (name.startsWith('@evenkeel/')) return packageFolder(fileURLToPath(import.meta.resolve(name)), name);
  try {
    return packageFolder(createRequire(schema).resolve(name), name);
  } catch {
    return undefined; // An optional peer that is not installed.
  }
}

/** The folder around a file whose package.json has the name. */
function packageFolder(file: string, name: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (manifestOf(folder)?.name === name) return folder;
  }
  return undefined;
}

function versionOf(folder: string): string {
  return manifestOf(folder)?.version ?? 'unknown';
}

function manifestOf(folder: string): { readonly name?: string; readonly version?: string } | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return typeof manifest === 'object' && manifest !== null ? manifest : undefined;
}
