/**
 * An error inside an expression, such as a missing key. `&&` and `||` can absorb it, so it is thrown often and
 * carries no stack. It never leaves this folder: evaluation ends with CelError.
 */
export class EvaluationFault {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Why an evaluation ended: the expression failed, it cost more than one call may, or more than the object has left. */
export type CelErrorReason = 'evaluation' | 'cost' | 'budget';

/** The failure of one evaluation; `message` is what the API server reports. */
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
