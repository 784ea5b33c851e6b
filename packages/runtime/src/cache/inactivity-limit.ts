import type { Clock, Timer } from '@evenkeel/core';

/** The reason for aborting a stream that received nothing, not even a bookmark, for longer than with a healthy server. */
export class InactivityError extends Error {
  override readonly name = 'InactivityError';
}

/**
 * Yields the chunks of a stream. If it has waited for a chunk for `limitMs`, it calls `abort`, which must end the stream. The
 * time in which the reader is busy does not count.
 */
export async function* whileActive(
  chunks: AsyncIterable<Uint8Array>,
  limit: InactivityLimit,
): AsyncGenerator<Uint8Array, void, undefined> {
  limit.begin();
  for await (const chunk of chunks) {
    limit.pause();
    yield chunk;
    limit.begin();
  }
}

/** A time limit that can be restarted. It uses at most one timer, for any number of restarts. */
export class InactivityLimit {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #exceeded: () => void;
  #timer: Timer | undefined;
  #sinceMs: number | undefined;

  constructor(clock: Clock, limitMs: number, exceeded: () => void) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#exceeded = exceeded;
  }

  begin(): void {
    this.#sinceMs = this.#clock.monotonic();
    this.#timer ??= this.#clock.schedule(this.#limitMs, () => this.#onTimer(), { unref: true });
  }

  pause(): void {
    this.#sinceMs = undefined;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#sinceMs = undefined;
  }

  #onTimer(): void {
    this.#timer = undefined;
    if (this.#sinceMs === undefined) return;
    const leftMs = this.#sinceMs + this.#limitMs - this.#clock.monotonic();
    if (leftMs <= 0) this.#exceeded();
    else this.#timer = this.#clock.schedule(leftMs, () => this.#onTimer(), { unref: true });
  }
}
