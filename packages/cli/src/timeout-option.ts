import { durationMs, EvenkeelError } from '@evenkeel/core';

/** The milliseconds of what stands behind `--timeout`, which is text from a shell. Throws `invalid-option`. */
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
    `--timeout: ${JSON.stringify(text)} leaves no time; write 30s, for instance`,
  );
}
