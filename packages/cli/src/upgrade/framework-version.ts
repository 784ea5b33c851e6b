/** `1.2.3-rc.1+build`. Minor and patch may be missing. */
const form = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([\w.-]{1,100}))?(?:\+[\w.-]{1,100})?$/;

/** Returns a version with all three numbers and without build metadata; undefined if it is not a version. */
export function completeVersion(text: string): string | undefined {
  const [, major, minor = '0', patch = '0', prerelease] = form.exec(text) ?? [];
  if (major === undefined) return undefined;
  return `${major}.${minor}.${patch}${prerelease === undefined ? '' : `-${prerelease}`}`;
}

/** The release to which a pre-release leads: `0.2.0` of `0.2.0-rc.1`. */
export function releaseOf(version: string): string {
  return version.split('-')[0] ?? version;
}

/**
 * Compares two versions by the precedence of Semantic Versioning 2.0, section 11: negative if the left one is older. Both must be
 * results of {@link completeVersion}.
 */
export function compareVersions(left: string, right: string): number {
  const [leftRelease = '', ...leftRest] = left.split('-');
  const [rightRelease = '', ...rightRest] = right.split('-');
  const ofRelease = compareParts(leftRelease, rightRelease);
  if (ofRelease !== 0) return ofRelease;
  const [leftPre, rightPre] = [leftRest.join('-'), rightRest.join('-')];
  if (leftPre === '' || rightPre === '') return Number(leftPre === '') - Number(rightPre === '');
  return compareParts(leftPre, rightPre);
}

function compareParts(left: string, right: string): number {
  const [lefts, rights] = [left.split('.'), right.split('.')];
  for (const [index, one] of lefts.entries()) {
    const other = rights[index];
    if (other === undefined) return 1;
    const order = comparePart(one, other);
    if (order !== 0) return order;
  }
  return lefts.length - rights.length;
}

/** Numbers come before words. */
function comparePart(left: string, right: string): number {
  const [isLeftNumber, isRightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isLeftNumber && isRightNumber) return Number(left) - Number(right);
  if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
  return left < right ? -1 : Number(left > right);
}
