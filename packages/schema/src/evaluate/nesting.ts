/** How deep a value may nest where a schema describes it; what nests deeper exhausts the stack, not the walk. */
const maxDepth = 1000;

/** An object asks for more than its evaluation may take: it is refused, whatever is right or wrong with it. */
export abstract class LimitError extends Error {}

/**
 * A value nests deeper than a walk over it may go. It takes a recursive schema, or lists in lists, to get there: the
 * API server's own limit of 10,000 levels is on decoding, and is not checked here.
 */
export class NestingDepthError extends LimitError {
  override readonly name = 'NestingDepthError';

  constructor() {
    super(`the object nests deeper than ${maxDepth} levels`);
  }
}

/** Throws a NestingDepthError where `depth` is too deep. */
export function checkDepth(depth: number): void {
  if (depth > maxDepth) throw new NestingDepthError();
}
