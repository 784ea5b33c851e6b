/**
 * An error inside of an expression, such as a missing key. `&&` and `||` can absorb it, so it is thrown often and has no
 * stack. It never leaves this folder: evaluation ends with CelError.
 */
export class EvaluationFault {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Why an evaluation ended: the expression failed, it exceeded the limit of one call, or the budget of the object. */
export type CelErrorReason = 'evaluation' | 'cost' | 'budget';

/** The failure of one evaluation; `message` is the API server's message. */
export class CelError extends Error {
  override readonly name = 'CelError';
  readonly reason: CelErrorReason;

  constructor(message: string, reason: CelErrorReason) {
    super(message);
    this.reason = reason;
  }
}

export function noSuchOverload(): EvaluationFault {
  return new EvaluationFault('no such overload');
}
