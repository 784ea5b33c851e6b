/** Ends an evaluation that exceeds the limit of a call; an expression cannot catch it. */
export class CostExceeded extends Error {}

/**
 * The longest string and the longest list that one operation may create. Upstream has no such limit and does not charge for
 * the size of some results. A request has at most 3 MiB, so no useful expression comes near it.
 */
const maxTextLength = 1 << 24;
const maxListSize = 1 << 24;

/**
 * The most parts of created lists, maps and objects that one evaluation may compare or format. Upstream charges only for the
 * outermost, but an expression can build exponentially many parts by repeating a value in itself.
 */
const maxVisits = 1 << 22;

let visits = 0;

/** Ends the evaluation if a string of this length is too long. */
export function limitText(length: number): void {
  if (length > maxTextLength) throw new CostExceeded();
}

/** Ends the evaluation if a list of this size is too long. */
export function limitList(size: number): void {
  if (size > maxListSize) throw new CostExceeded();
}

/** Runs an evaluation, which is synchronous, with its own count of visited parts. */
export function withOwnVisits<T>(evaluate: () => T): T {
  const outer = visits;
  visits = 0;
  try {
    return evaluate();
  } finally {
    visits = outer;
  }
}

/** Ends the evaluation if it has visited too many parts of values. */
export function countVisits(parts: number): void {
  visits += parts;
  if (visits > maxVisits) throw new CostExceeded();
}
