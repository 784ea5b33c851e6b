/**
 * Compares versions by the server's preference (`version.CompareKubeAwareVersionStrings`): stable, then beta, then alpha, and
 * newer versions first. All other strings follow in alphabetical order.
 */
export function compareVersions(left: string, right: string): number {
  const a = parseVersion(left);
  const b = parseVersion(right);
  if (a === undefined || b === undefined) {
    if (a !== undefined) return -1;
    if (b !== undefined) return 1;
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return b.stability - a.stability || b.major - a.major || b.minor - a.minor;
}

function parseVersion(version: string): { stability: number; major: number; minor: number } | undefined {
  const match = /^v([1-9]\d{0,9})(?:(alpha|beta)([1-9]\d{0,9}))?$/.exec(version);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return { stability, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
