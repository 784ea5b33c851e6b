import type { ErrorCode } from './error-codes.ts';

/**
 * A mistake that a person can mend: the message says what happened, to which object or class member, and what to do.
 * A command prints the message and the code, not the stack.
 */
export class EvenkeelError extends Error {
  override readonly name = 'EvenkeelError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
