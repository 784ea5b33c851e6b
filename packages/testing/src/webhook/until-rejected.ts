import { type Clock, messageOf, StatusError } from '@evenkeel/core';

const pollMs = 20;

export interface RejectionOptions {
  /** A part of the message of the rejection. */
  readonly message: string;
  readonly withinMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Returns why another result ends the wait; `isLate` if the time is over. `result` is a message, or undefined if it was accepted. */
  failureOf(result: string | undefined, isLate: boolean): Error | undefined;
}

/**
 * Repeats a request until the API server rejects it with a message. The rejection shows that the API server uses the registered objects.
 */
export async function untilRejected(request: () => Promise<unknown>, options: RejectionOptions): Promise<void> {
  const { message, withinMs, clock, signal, failureOf } = options;
  const deadlineMs = clock.monotonic() + withinMs;
  for (;;) {
    const error: unknown = await request().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof StatusError && error.message.includes(message)) return;
    const failure = failureOf(error === undefined ? undefined : messageOf(error), clock.monotonic() > deadlineMs);
    if (failure !== undefined) throw failure;
    await clock.sleep(pollMs, signal);
  }
}
