import { durationMs, EvenkeelError } from '@evenkeel/core';

/** Returns the value of `--timeout` in milliseconds. Throws `invalid-option`. */
export function timeoutOf(text: string): number {
  let timeoutMs: number;
  try {
    timeoutMs = durationMs(text);
  } catch (error) {
    throw new EvenkeelError('invalid-option', `--timeout: ${(error as Error).message}`, { cause: error });
  }
  if (timeoutMs > 0) return timeoutMs;
  throw new EvenkeelError(
    'invalid-option',
    `--timeout: ${JSON.stringify(text)} must be greater than zero; pass a duration such as 30s`,
  );
}
