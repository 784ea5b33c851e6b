/** The same as `engines` in package.json, for which npm only prints a warning. */
const oldest = [22, 19] as const;

/** The problem of an unsupported version of Node, with the fix; undefined for a supported version. This code runs on any version. */
export function oldNodeProblem({
  version,
  versions,
}: Pick<NodeJS.Process, 'version' | 'versions'>): string | undefined {
  const [major = 0, minor = 0] = versions.node.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return `evenkeel needs Node ${oldest.join('.')} or later, but this is ${version}; install a newer one`;
}
