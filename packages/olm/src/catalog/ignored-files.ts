import { posix } from 'node:path';
import type { BundleFile } from '../bundle/bundle-folder.ts';

/** The file with patterns of files that registries do not read, in any folder of a catalog. */
export const ignoreFile = '.indexignore';

interface Pattern {
  /** The folder below which it applies; empty for the whole catalog. */
  readonly folder: string;
  readonly form: RegExp;
  readonly isNegated: boolean;
}

/**
 * Drops the files that `.indexignore` excludes, and the `.indexignore` files themselves. The patterns are those of .gitignore. The last
 * pattern that matches decides.
 *
 * Source: github.com/joelanford/ignore, which operator-registry uses.
 */
export function withoutIgnored(files: readonly BundleFile[]): BundleFile[] {
  const patterns = files.filter(isIgnoreFile).flatMap(patternsIn);
  return files.filter((file) => !isIgnoreFile(file) && !isIgnored(file.path, patterns));
}

function isIgnoreFile({ path }: BundleFile): boolean {
  return posix.basename(path) === ignoreFile;
}

function isIgnored(path: string, patterns: readonly Pattern[]): boolean {
  const matching = patterns.findLast(
    ({ folder, form }) =>
      (folder === '' || path.startsWith(`${folder}/`)) &&
      form.test(folder === '' ? path : path.slice(folder.length + 1)),
  );
  return matching !== undefined && !matching.isNegated;
}

function patternsIn({ path, content }: BundleFile): Pattern[] {
  const folder = path.includes('/') ? posix.dirname(path) : '';
  const lines = content.toString('utf8').split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isNegated = line.startsWith('!');
      return { folder, form: formOf(isNegated ? line.slice(1) : line), isNegated };
    });
}

/** The paths that a pattern excludes: those that it matches, and all below them. */
function formOf(pattern: string): RegExp {
  const isFolder = pattern.endsWith('/');
  const body = pattern.replace(/\/$/, '');
  const isAnchored = body.includes('/');
  const parts = body.replace(/^\//, '').split('/');
  const source = parts
    .map((part, index) => {
      const isLast = index === parts.length - 1;
      if (part === '**') return isLast ? '.*' : '(?:[^/]+/)*';
      return `${globSource(part)}${isLast ? '' : '/'}`;
    })
    .join('');
  return new RegExp(`^${isAnchored ? '' : '(?:[^/]+/)*'}${source}${isFolder ? '/' : '(?:/|$)'}`, 's');
}

function globSource(glob: string): string {
  return glob.replace(/\\?[\s\S]/g, (part) => {
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    // A class of characters is not worth its rules: its brackets match themselves.
    return part.replace(/^\\(?=.)/, '').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
}
