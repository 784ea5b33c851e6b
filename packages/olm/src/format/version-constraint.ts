import { compareVersions, parseVersion, type SemanticVersion } from './semantic-version.ts';
import type { VersionRange } from './version-range.ts';

/** A comparison with a version of which the last parts may be missing. */
interface Comparison {
  readonly operator: string;
  readonly version: SemanticVersion;
  /** The number of given parts: 0 for `*`, 1 for `1.x`, 2 for `1.2`, 3 for a whole version. */
  readonly parts: number;
}

const operators = '=||!=|>|<|>=|=>|<=|=<|~|~>|\\^';
const version =
  'v?([0-9xX|*]+)(\\.[0-9xX|*]+)?(\\.[0-9xX|*]+)?(-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?';
const hyphenRange = new RegExp(`\\s*(${version})\\s+-\\s+(${version})\\s*`, 'g');
const comparison = `(?:${operators})\\s*${version}`;
const whole = new RegExp(`^\\s*${comparison}\\s*(?:(?:\\s+|,\\s*)${comparison}\\s*)*$`);
const longest = 256;

/**
 * Parses a constraint such as `^1.2`, `~1.2.3`, `1.x`, `1.0 - 2.0` or `>=1.0.0, <2.0.0 || >3` as github.com/Masterminds/semver v3 does, by
 * which OLM v1 reads `version` of a ClusterExtension. Pre-releases match only if an alternative names one. Returns undefined if the
 * constraint is invalid.
 */
export function parseConstraint(text: string): VersionRange | undefined {
  if (text.length > longest) return undefined;
  const rewritten = text.replace(
    hyphenRange,
    (_, from: string, ...groups: string[]) => `>= ${from}, <= ${groups[4] ?? ''} `,
  );
  const alternatives: Comparison[][] = [];
  for (const alternative of rewritten.split('||')) {
    if (!whole.test(alternative)) return undefined;
    const found = [...alternative.matchAll(new RegExp(`(${operators})\\s*${version}`, 'g'))].map(comparisonOf);
    if (found.includes(undefined)) return undefined;
    alternatives.push(found.filter((each) => each !== undefined));
  }
  return (candidate) =>
    alternatives.some((all) => {
      const isRelease = candidate.prerelease.length === 0;
      if (!isRelease && !all.some((each) => each.version.prerelease.length > 0)) return false;
      return all.every((each) => matches(candidate, each));
    });
}

function comparisonOf(match: RegExpMatchArray): Comparison | undefined {
  const [, operator = '', major = '', minor = '', patch = '', prerelease = ''] = match;
  const given = [major, minor.slice(1), patch.slice(1)];
  const wild = given.findIndex((part) => part === '' || /^[xX*]$/.test(part));
  const parts = wild === -1 ? 3 : wild;
  const numbers = given.map((part, index) => (index < parts ? part.replace(/^0+(?=\d)/, '') : '0'));
  const parsed = parseVersion(`${numbers.join('.')}${prerelease}`);
  return parsed === undefined ? undefined : { operator, version: parsed, parts };
}

function matches(candidate: SemanticVersion, { operator, version: limit, parts }: Comparison): boolean {
  const order = compareVersions(candidate, limit);
  const isSame = (count: number): boolean =>
    [candidate.major === limit.major, candidate.minor === limit.minor, candidate.patch === limit.patch]
      .slice(0, count)
      .every((each) => each);
  switch (operator) {
    case '':
    case '=':
      return parts === 3 ? order === 0 : isTilde(candidate, limit, parts);
    case '!=':
      if (parts === 3 || parts === 0) return order !== 0;
      if (parts === 1) return !isSame(1);
      return !isSame(2) || candidate.prerelease.join('.') !== limit.prerelease.join('.');
    case '>':
      if (parts === 3) return order > 0;
      if (parts === 0) return compareParts(candidate, limit, 1) > 0 || (isSame(1) && order > 0);
      return compareParts(candidate, limit, parts) > 0;
    case '<':
      return order < 0;
    case '>=':
    case '=>':
      return order >= 0;
    case '<=':
    case '=<':
      return parts === 3 ? order <= 0 : compareParts(candidate, limit, parts || 2) <= 0;
    case '~':
    case '~>':
      return isTilde(candidate, limit, parts);
    default:
      return isCaret(candidate, limit, parts);
  }
}

function isTilde(candidate: SemanticVersion, limit: SemanticVersion, parts: number): boolean {
  if (compareVersions(candidate, limit) < 0) return false;
  const isZero = limit.major === 0n && limit.minor === 0n && limit.patch === 0n;
  if (isZero && parts !== 1 && parts !== 2) return true;
  return candidate.major === limit.major && (parts === 1 || candidate.minor === limit.minor);
}

function isCaret(candidate: SemanticVersion, limit: SemanticVersion, parts: number): boolean {
  if (compareVersions(candidate, limit) < 0) return false;
  if (candidate.major !== limit.major) return false;
  if (limit.major > 0n || parts === 1) return true;
  if (candidate.minor !== limit.minor) return false;
  return limit.minor > 0n || parts === 2 || candidate.patch === limit.patch;
}

function compareParts(left: SemanticVersion, right: SemanticVersion, count: number): number {
  for (const part of (['major', 'minor', 'patch'] as const).slice(0, count)) {
    if (left[part] !== right[part]) return left[part] < right[part] ? -1 : 1;
  }
  return 0;
}
