import {
  compareSemver,
  parseSemver,
  type SemanticVersion,
  semverIdentifierMistake,
  strictSemver,
} from '@evenkeel/apimachinery/semantic-version';

export type { SemanticVersion };
export { compareSemver as compareVersions };

/** Versions that are longer than this are invalid. Kubernetes' longest names have 253 characters. */
const longest = 256;

/** Parses a version as `semver.Parse` does, which OLM uses. Returns undefined if the version is invalid. */
export function parseVersion(text: string): SemanticVersion | undefined {
  const version = text.length > longest ? undefined : parseSemver(text);
  return typeof version === 'string' ? undefined : version;
}

/**
 * Parses a version as `semver.ParseTolerant` does, which OLM uses for `spec.version`: spaces around it, a leading `v`, leading
 * zeros and missing minor and patch numbers are allowed.
 */
export function parseTolerantVersion(text: string): SemanticVersion | undefined {
  const strict = strictSemver(text.trim());
  return strict === undefined ? undefined : parseVersion(strict);
}

/** The version with its pre-release and its build, as OLM prints it. */
export function versionText({ major, minor, patch, prerelease, build }: SemanticVersion): string {
  const after = prerelease.length === 0 ? '' : `-${prerelease.join('.')}`;
  return `${major}.${minor}.${patch}${after}${build.length === 0 ? '' : `+${build.join('.')}`}`;
}

/** An identifier of a pre-release, or undefined if it is invalid. */
export function identifierIn(text: string): string | undefined {
  return semverIdentifierMistake(text) === undefined ? text : undefined;
}
