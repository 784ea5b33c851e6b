/** Ends an evaluation that exceeds the limit of a call; an expression cannot catch it. */
export class CostExceeded extends Error {}

/**
 * The longest string and the longest list that one operation may create. Upstream has no such limit and does not charge for
 * the size of some results. A request has at most 3 MiB, so no useful expression comes near it.
 */
const maxTextLength = 1 << 24;
const maxListSize = 1 << 24;
/** Ends the evaluation if a string of this length is too long. */
export function limitText(length: number): void {
  if (length > maxTextLength) throw new CostExceeded();
}

/** Ends the evaluation if a list of this size is too long. */
export function limitList(size: number): void {
  if (size > maxListSize) throw new CostExceeded();
}
