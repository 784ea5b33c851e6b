/** How deep a value may nest if a schema describes it. Deeper nesting would exhaust the stack. */
const maxDepth = 1000;

/** The evaluation of an object exceeds a limit: the object is rejected, whether it is valid or not. */
export abstract class LimitError extends Error {}

/**
 * A value nests too deeply. This needs a recursive schema, or lists in lists. The API server's limit of 10,000 levels
 * applies to decoding and is not checked here.
 */
export class NestingDepthError extends LimitError {
  override readonly name = 'NestingDepthError';

  constructor() {
    super(`the object nests deeper than ${maxDepth} levels`);
  }
}

/** Throws a NestingDepthError if `depth` is too large. */
export function checkDepth(depth: number): void {
  if (depth > maxDepth) throw new NestingDepthError();
}
