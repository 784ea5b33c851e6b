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

/** Versions that are longer than this are invalid. Kubernetes' longest names have 253 characters. */
const longest = 256;
const uint64Max = 2n ** 64n - 1n;
const strictForm = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;

/**
 * Parses a version as `semver.Parse` of github.com/blang/semver does, which OLM uses: three numbers without leading zeros, then
 * optionally a pre-release and a build. Returns undefined if the version is invalid.
 */
export function parseVersion(text: string): SemanticVersion | undefined {
  const match = text.length > longest ? null : strictForm.exec(text);
  if (match === null) return undefined;
  const [, major = '', minor = '', patch = '', prerelease, build] = match;
  const numbers = [major, minor, patch].map(numberIn);
  const identifiers = prerelease === undefined ? [] : prerelease.split('.').map(identifierIn);
  const builds = build === undefined ? [] : build.split('.');
  const [first, second, third] = numbers;
  if (first === undefined || second === undefined || third === undefined) return undefined;
  if (identifiers.includes(undefined) || builds.includes('')) return undefined;
  return {
    major: first,
    minor: second,
    patch: third,
    prerelease: identifiers.filter((each) => each !== undefined),
    build: builds,
  };
}

/**
 * Parses a version as `semver.ParseTolerant` does, which OLM uses for `spec.version`: spaces around it, a leading `v`, leading
 * zeros and missing minor and patch numbers are allowed.
 */
export function parseTolerantVersion(text: string): SemanticVersion | undefined {
  const [major = '', ...rest] = splitAtDots(text.trim().replace(/^v/, ''));
  const parts = [major, ...rest].map((part, index, all) =>
    // Only the last part has a pre-release or a build, whose zeros stay.
    part.length > 1 ? withoutLeadingZeros(part, index === all.length - 1) : part,
  );
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) return undefined;
  while (parts.length < 3) parts.push('0');
  return parseVersion(parts.join('.'));
}

/** Compares by precedence: negative if `left` is lower. Builds are ignored. */
export function compareVersions(left: SemanticVersion, right: SemanticVersion): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (left[part] !== right[part]) return left[part] < right[part] ? -1 : 1;
  }
  const [own, other] = [left.prerelease, right.prerelease];
  if (own.length === 0 || other.length === 0) return other.length - own.length;
  for (let index = 0; index < Math.max(own.length, other.length); index++) {
    const order = compareIdentifiers(own[index], other[index]);
    if (order !== 0) return order;
  }
  return 0;
}

/** The version without the build, as OLM prints it. */
export function versionText({ major, minor, patch, prerelease, build }: SemanticVersion): string {
  const after = prerelease.length === 0 ? '' : `-${prerelease.join('.')}`;
  return `${major}.${minor}.${patch}${after}${build.length === 0 ? '' : `+${build.join('.')}`}`;
}

/** An identifier of a pre-release, or undefined if it is invalid. */
export function identifierIn(text: string): bigint | string | undefined {
  if (/^\d+$/.test(text)) return numberIn(text);
  return /^[0-9A-Za-z-]+$/.test(text) ? text : undefined;
}

function numberIn(text: string): bigint | undefined {
  if (text.length > 20 || (text.length > 1 && text.startsWith('0'))) return undefined;
  const value = BigInt(text);
  return value > uint64Max ? undefined : value;
}

function splitAtDots(text: string): string[] {
  const [first = '', second, ...rest] = text.split('.');
  if (second === undefined) return [first];
  return rest.length === 0 ? [first, second] : [first, second, rest.join('.')];
}

/** Drops zeros before a digit. */
function withoutLeadingZeros(part: string, isLast: boolean): string {
  const stripped = part.replace(/^0+/, '');
  if (stripped === '' || (isLast && /^[+.-]/.test(stripped))) return `0${stripped}`;
  return stripped;
}

function compareIdentifiers(left: bigint | string | undefined, right: bigint | string | undefined): number {
  if (left === right) return 0;
  // A version with more identifiers is higher, and numbers are lower than words.
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  if (typeof left !== typeof right) return typeof left === 'bigint' ? -1 : 1;
  return left < right ? -1 : 1;
}
