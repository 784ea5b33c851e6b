/**
 * Compares two resourceVersions of one server; negative if `left` is older. They are integers without leading zeros that may not
 * fit into a number, so a longer one is newer (client-go's `CompareResourceVersion`).
 */
export function compareResourceVersions(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
