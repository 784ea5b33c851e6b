import type { ErrorCode } from './error-codes.ts';

/**
 * An error that the user can fix. The message has the failure, the object or class member, and the fix. Commands print the
 * message and the code, without the stack.
 */
export class EvenkeelError extends Error {
  override readonly name = 'EvenkeelError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
