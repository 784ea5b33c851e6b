import type { Clock } from '@evenkeel/core';
import type { ProcessPort } from '@evenkeel/runtime';

/** A terminal and npm both pass Ctrl-C on: two signals this near are one. */
const sameSignalMs = 500;

/** Resolves at the first SIGINT or SIGTERM; a second one, more than 500 ms later, ends the process at once with 1. */
export function waitForSignal(process: ProcessPort, clock: Clock): Promise<'signal'> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    const onSignal = (): void => {
      const nowMs = clock.monotonic();
      firstMs ??= nowMs;
      if (nowMs - firstMs > sameSignalMs) process.exit(1);
      resolve('signal');
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
