/**
 * Orders two versions of one server's objects: negative where `left` is older. They are integers beyond what a number
 * holds exactly, written without leading zeros: the longer is the newer (client-go's `CompareResourceVersion`).
 */
export function compareResourceVersions(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
