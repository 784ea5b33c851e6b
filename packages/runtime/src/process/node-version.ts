/** package.json says the same in `engines`, which npm only warns of. */
const oldest = [22, 19] as const;

/** What is wrong with a version of Node, and what to do; undefined where an operator runs on it. Itself runs on any. */
export function oldNodeProblem({
  version,
  versions,
}: Pick<NodeJS.Process, 'version' | 'versions'>): string | undefined {
  const [major = 0, minor = 0] = versions.node.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return `evenkeel needs Node ${oldest.join('.')} or later, but this is ${version}; install a newer one`;
}
