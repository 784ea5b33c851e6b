/**
 * Lists the packages of a lockfile that npm would install on a platform without a check of their content. npm records no
 * integrity hash for a package of another platform that the registry did not serve when the lockfile was made.
 *
 * @param {{ packages: Record<string, object> }} lock The parsed `package-lock.json`
 * @param {{ os: string, cpu: string, libc?: string } | undefined} platform Only what installs there; everything without it
 */
export function withoutIntegrity(lock, platform) {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.integrity)
    .filter(
      ([, entry]) =>
        !platform ||
        (allows(entry.os, platform.os) && allows(entry.cpu, platform.cpu) && allows(entry.libc, platform.libc)),
    )
    .map(([path, { version }]) => ({
      path,
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
    }));
}

/** The platform of this process, in the words of `os`, `cpu` and `libc` of a package.json. */
export function thisPlatform() {
  const libc = process.platform === 'linux' ? (hasGlibc() ? 'glibc' : 'musl') : undefined;
  return { os: process.platform, cpu: process.arch, libc };
}

function hasGlibc() {
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}

/** A list of package.json: allowed names, or `!name` for all others. */
function allows(list, name) {
  if (!list || name === undefined) return true;
  if (list.includes(`!${name}`)) return false;
  return list.includes(name) || list.every((entry) => entry.startsWith('!'));
}
