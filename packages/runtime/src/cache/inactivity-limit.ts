import type { Clock, Timer } from '@evenkeel/core';

/** Why a stream was given up: nothing came, not even a bookmark, for longer than a healthy server stays silent. */
export class InactivityError extends Error {
  override readonly name = 'InactivityError';
}

/**
 * The chunks of a stream, as long as they keep coming: when nothing has come for `limitMs` while one is waited for, `abort`
 * is called. It must end the stream. Time in which the reader is busy does not count.
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

/** A limit on how long something may be waited for. One timer at most, however often it begins anew. */
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
