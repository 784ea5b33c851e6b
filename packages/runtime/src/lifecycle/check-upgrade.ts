/** A version of an operand, such as `3.6.16`. */
interface Version {
  readonly major: number;
  readonly minor: number;
}

/**
 * Checks whether an operand that reads the data of the version before it may be replaced by another version: the major version must be the
 * same, and the minor version the same or one higher. Returns why not, as a part of a sentence; undefined if it may.
 *
 * Some operands skip versions, or change the major version like any other. Pass their upgrade path as `releases`, such as
 * `['10.6', '10.11', '11.4']`: then the release must be the same or the next one of the list.
 *
 * Pass the version of the stored data as `from`. It is not always the version of the programs: etcd keeps the data of the lower version
 * until all members have been upgraded, so that an upgrade can be rolled back until then.
 *
 * Promised: it does not look at patch versions, so they may decrease. A string that does not start with `MAJOR.MINOR` is a reason
 * to refuse, and so is a version whose release is not in `releases`.
 *
 * @param releases oldest first, as `MAJOR.MINOR`. Default: each minor version of the major version.
 */
export function checkUpgrade(from: string, to: string, releases?: readonly string[]): string | undefined {
  const [stored, target] = [versionOf(from), versionOf(to)];
  if (stored === undefined || target === undefined)
    return `"${stored === undefined ? from : to}" is not a version such as 3.6.16`;
  if (releases !== undefined) return checkRelease({ from, stored }, { to, target }, releases);
  if (target.major !== stored.major) return `the major version must not change from ${from} to ${to}`;
  if (target.minor < stored.minor) return `${to} cannot read the data of ${from}; restore a backup to go back`;
  if (target.minor > stored.minor + 1)
    return `upgrade to ${stored.major}.${stored.minor + 1} first, because ${to} skips minor versions after ${from}`;
  return undefined;
}

function checkRelease(
  { from, stored }: { readonly from: string; readonly stored: Version },
  { to, target }: { readonly to: string; readonly target: Version },
  releases: readonly string[],
): string | undefined {
  const placeOf = ({ major, minor }: Version): number => releases.indexOf(`${major}.${minor}`);
  const [before, after] = [placeOf(stored), placeOf(target)];
  if (before === -1 || after === -1)
    return `${before === -1 ? from : to} does not belong to one of the releases ${releases.join(', ')}`;
  if (after < before) return `${to} cannot read the data of ${from}; restore a backup to go back`;
  if (after > before + 1) return `upgrade to ${releases[before + 1]} first, because ${to} skips releases after ${from}`;
  return undefined;
}

function versionOf(text: string): Version | undefined {
  const [, major, minor] = /^v?(\d+)\.(\d+)(\.|$)/.exec(text) ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
