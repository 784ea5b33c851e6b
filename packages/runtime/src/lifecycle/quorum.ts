/** Returns how many of `size` members are a majority, which must work so that the others may fail. */
export function quorumOf(size: number): number {
  return Math.floor(size / 2) + 1;
}
