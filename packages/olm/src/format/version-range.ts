import { compareVersions, parseVersion, type SemanticVersion } from './semantic-version.ts';

/** Whether a version is in a range. */
export type VersionRange = (version: SemanticVersion) => boolean;

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '': (order) => order === 0,
  '=': (order) => order === 0,
  '==': (order) => order === 0,
  '!': (order) => order !== 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

/** Longer ranges are invalid. */
const longest = 1024;

/**
 * Parses a range such as `>=1.0.0 <1.2.0 || 2.x` as `semver.ParseRange` of github.com/blang/semver does, which OLM uses for skipRange
 * and for the versions of dependencies. Spaces mean "and". Pre-releases are ordered like all others. Returns undefined if the range is
 * invalid.
 */
export function parseRange(text: string): VersionRange | undefined {
  if (text.length > longest) return undefined;
  const words = wordsOf(text);
  const alternatives: VersionRange[][] = [[]];
  for (const [index, word] of words.entries()) {
    if (word === '||') {
      if (index === 0) return undefined;
      alternatives.push([]);
      continue;
    }
    const parts = withoutWildcard(word)?.map(comparisonOf);
    if (parts === undefined) return undefined;
    for (const part of parts) {
      if (part === undefined) return undefined;
      alternatives.at(-1)?.push(part);
    }
  }
  if (words.length === 0 || words.at(-1) === '||') return undefined;
  const given = alternatives.filter((parts) => parts.length > 0);
  return (version) => given.some((parts) => parts.every((part) => part(version)));
}

/** Splits at spaces, except those after an operator. Words of one character are dropped, as Go's package does. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let start = 0;
  let last = '';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character !== ' ') last = character;
    else if (!'<>='.includes(last) || last === '') {
      if (start < at - 1) words.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (start < text.length - 1) words.push(text.slice(start));
  return words.map((word) => word.replaceAll(' ', ''));
}

function comparisonOf(text: string): VersionRange | undefined {
  const [, operator = '', rest = ''] = /^(\D*)(\d.*)$/s.exec(text) ?? [];
  const compare = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined;
  const limit = parseVersion(rest);
  if (compare === undefined || limit === undefined) return undefined;
  return (version) => compare(compareVersions(version, limit));
}

/** Replaces `1.x` and `1.2.x` by comparisons, as Go's package does. */
function withoutWildcard(text: string): string[] | undefined {
  if (!text.includes('x')) return [text];
  const [, operator = '', version] = /^(\D*)(\d.*)$/s.exec(text) ?? [];
  if (version === undefined) return undefined;
  const flat = version.replace('.x.x', '.x').replace('.x', '.0');
  const from = flat.split('.').length === 2 ? `${flat}.0` : flat;
  const next = version.endsWith('.x') ? following(from, version.split('.').length) : '';
  switch (operator) {
    case '>':
      return [`>=${next}`];
    case '>=':
    case '<':
      return [`${operator}${from}`];
    case '<=':
      return [`<${next}`];
    case '':
    case '=':
    case '==':
      return [`>=${from}`, `<${next}`];
    case '!':
    case '!=':
      return [`<${from}`, `>=${next}`];
    default:
      return [from];
  }
}

/** The next minor version of a version with three parts, and the next major version of one with two. */
function following(version: string, parts: number): string {
  const [major = '', minor = '', ...rest] = version.split('.');
  if (parts === 2) return /^\d+$/.test(major) ? [BigInt(major) + 1n, minor, ...rest].join('.') : '';
  return parts === 3 && /^\d+$/.test(minor) ? [major, BigInt(minor) + 1n, ...rest].join('.') : '';
}
