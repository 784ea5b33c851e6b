import type { Clock } from '@evenkeel/core';

/** The signals that stop an operator. */
export type StopSignalName = 'SIGTERM' | 'SIGINT';

/** The part of Node's `process` that a run needs. */
export interface ProcessPort {
  on(signal: StopSignalName, listener: () => void): unknown;
  off(signal: StopSignalName, listener: () => void): unknown;
  exit(code: number): void;
}

/** The first signal that stops this process. */
export interface StopSignal {
  /** Resolves with the first signal; never rejects. */
  readonly received: Promise<StopSignalName>;
  /** Removes the listeners. */
  close(): void;
}

/** A terminal and npm both pass on Ctrl-C, so two signals within this time count as one. */
const sameSignalMs = 500;

/**
 * Listens for SIGTERM and SIGINT, which stop a process. A second signal more than 500 ms after the first calls `second`, and then
 * exits the process with 1 at once, because its sender does not want to wait.
 */
export function listenForStopSignal(
  process: ProcessPort,
  clock: Clock,
  second: (signal: StopSignalName) => void = () => {},
): StopSignal {
  const { promise: received, resolve } = Promise.withResolvers<StopSignalName>();
  let firstMs: number | undefined;
  const listener = (signal: StopSignalName) => (): void => {
    const nowMs = clock.monotonic();
    firstMs ??= nowMs;
    resolve(signal);
    if (nowMs - firstMs <= sameSignalMs) return;
    second(signal);
    process.exit(1);
  };
  const listeners = [
    ['SIGTERM', listener('SIGTERM')],
    ['SIGINT', listener('SIGINT')],
  ] as const;
  for (const [signal, listen] of listeners) process.on(signal, listen);
  return {
    received,
    close: () => {
      for (const [signal, listen] of listeners) process.off(signal, listen);
    },
  };
}
