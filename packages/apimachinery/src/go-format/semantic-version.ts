import { goIntegerError, goQuote } from './go-format.ts';

/** A version in the form of semver.org. Numbers are as large as Go's uint64, so they are bigints. */
export interface SemanticVersion {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Identifiers that consist of digits are bigints. */
  readonly prerelease: readonly (bigint | string)[];
  /** The build, which has no influence on the order. */
  readonly build: readonly string[];
}

const uint64Max = 2n ** 64n - 1n;

/**
 * Parses a version as `semver.Parse` of github.com/blang/semver v4 does: three numbers without leading zeros, then optionally a
 * pre-release and a build. Returns that package's message if the version is invalid.
 */
export function parseSemver(text: string): SemanticVersion | string {
  if (text === '') return 'Version string empty';
  const [major = '', minor = '', rest] = splitThree(text);
  if (rest === undefined) return 'No Major.Minor.Patch elements found';
  const [withPrerelease = '', ...builds] = cut(rest, '+');
  const [patch = '', ...prereleases] = cut(withPrerelease, '-');
  const prerelease = prereleases.flatMap((part) => part.split('.'));
  const build = builds.flatMap((part) => part.split('.'));
  const [mistake] = [
    ...Object.entries({ major, minor, patch }).map(([name, part]) => numberMistake(name, part)),
    ...prerelease.map(semverIdentifierMistake),
    ...build.map(buildMistake),
  ].filter((each) => each !== undefined);
  return (
    mistake ?? {
      major: BigInt(major),
      minor: BigInt(minor),
      patch: BigInt(patch),
      prerelease: prerelease.map((part) => (isDigits(part) ? BigInt(part) : part)),
      build,
    }
  );
}

/**
 * Returns the strict form of a version, which can still be invalid: without a leading `v` and leading zeros, and with the missing minor
 * and patch numbers. Undefined if such a short version has a pre-release or a build. `semver.ParseTolerant` and CEL do this.
 */
export function strictSemver(text: string): string | undefined {
  const parts = splitThree(text.replace(/^v/, '')).map((part) => {
    if (part.length <= 1) return part;
    const stripped = part.replace(/^0+/, '');
    return /^\d/.test(stripped) ? stripped : `0${stripped}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) return undefined;
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

/** Compares by precedence: -1 if `left` is lower, 1 if it is higher. Builds are ignored. */
export function compareSemver(left: SemanticVersion, right: SemanticVersion): -1 | 0 | 1 {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (left[part] !== right[part]) return left[part] < right[part] ? -1 : 1;
  }
  const [own, other] = [left.prerelease, right.prerelease];
  // A pre-release comes before its release.
  if (own.length === 0 || other.length === 0) return own.length === other.length ? 0 : own.length === 0 ? 1 : -1;
  for (let index = 0; index < Math.max(own.length, other.length); index++) {
    const order = compareIdentifiers(own[index], other[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareIdentifiers(left: bigint | string | undefined, right: bigint | string | undefined): -1 | 0 | 1 {
  if (left === right) return 0;
  // A version with more identifiers is higher, and numbers are lower than words.
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  if (typeof left !== typeof right) return typeof left === 'bigint' ? -1 : 1;
  return left < right ? -1 : 1;
}

/** Returns what is wrong with an identifier of a pre-release, in the words of github.com/blang/semver; undefined if nothing is. */
export function semverIdentifierMistake(text: string): string | undefined {
  if (text === '') return 'Prerelease is empty';
  if (!isDigits(text)) return isWord(text) ? undefined : `Invalid character(s) found in prerelease ${goQuote(text)}`;
  if (hasLeadingZeros(text)) return `Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`;
  return uint64Mistake(text);
}

function numberMistake(name: string, text: string): string | undefined {
  if (text !== '' && !isDigits(text)) return `Invalid character(s) found in ${name} number ${goQuote(text)}`;
  if (hasLeadingZeros(text)) {
    return `${name.charAt(0).toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${goQuote(text)}`;
  }
  return uint64Mistake(text);
}

function buildMistake(text: string): string | undefined {
  if (text === '') return 'Build meta data is empty';
  return isWord(text) ? undefined : `Invalid character(s) found in build meta data ${goQuote(text)}`;
}

/** @param text digits, or empty. */
function uint64Mistake(text: string): string | undefined {
  const isUint64 = text !== '' && text.length <= 20 && BigInt(text) <= uint64Max;
  return isUint64 ? undefined : goIntegerError('ParseUint', text);
}

const isDigits = (text: string): boolean => /^\d+$/.test(text);
const isWord = (text: string): boolean => /^[0-9A-Za-z-]+$/.test(text);
const hasLeadingZeros = (text: string): boolean => text.length > 1 && text.startsWith('0');

/** At most three parts; the last keeps its dots. */
function splitThree(text: string): string[] {
  const parts = text.split('.');
  return parts.length <= 3 ? parts : [...parts.slice(0, 2), parts.slice(2).join('.')];
}

function cut(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
