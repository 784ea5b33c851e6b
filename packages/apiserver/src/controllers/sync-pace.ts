import type { Clock } from '@evenkeel/core';
import type { SyncTurns } from './sync-turns.ts';

/** The syncs of one key that start at once. Each further group of this size waits for 1, 3, 7, ... turns of the event loop. */
const promptMax = 50;
/** The number of syncs after which a key counts as never settling. */
const syncsMax = 500;
/** The syncs that are forgotten per millisecond: a rate of 100 per second may continue for ever. */
const forgottenPerMs = 0.1;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** From this number of keys on, keys without remembered syncs are dropped. */
const keysMax = 1024;

/** When a sync may start. */
export type SyncStart =
  | { readonly afterTurns: number }
  /** The key never settles. `isFirst`: this is new since the previous call. */
  | { readonly afterMs: number; readonly isFirst: boolean };

interface Usage {
  syncs: number;
  /** The time up to which syncs have been forgotten. */
  atMs: number;
  /** The number of rests at that time; undefined during a pause. */
  rests: number | undefined;
  pauses: number;
}

/**
 * The rate at which each key of one controller may sync. Work that finishes is never slowed down: a key that syncs often
 * first waits for turns of the event loop, in which its events are merged and other work makes progress. A key that
 * nevertheless syncs 500 times, faster than 100 times a second, never settles. It pauses for a second, then twice as long
 * each time, up to a minute, until it has calmed down.
 *
 * On a clock that does not advance, syncs are forgotten when all controllers rest.
 */
export class SyncPace {
  readonly #clock: Clock;
  readonly #turns: Pick<SyncTurns, 'rests'>;
  readonly #usages = new Map<string, Usage>();
  #sweepAt = keysMax;

  constructor(clock: Clock, turns: Pick<SyncTurns, 'rests'>) {
    this.#clock = clock;
    this.#turns = turns;
  }

  /** Counts a sync of the key, and returns when it may start. */
  take(key: string): SyncStart {
    const usage = this.#usageOf(key);
    if (usage.syncs < syncsMax) {
      usage.syncs++;
      return { afterTurns: 2 ** Math.floor((usage.syncs - 1) / promptMax) - 1 };
    }
    const isFirst = usage.pauses === 0;
    const afterMs = Math.min(longestPauseMs, firstPauseMs * 2 ** usage.pauses);
    usage.pauses++;
    // Nothing is forgotten during a pause, or a key could sync 500 times again after it.
    usage.atMs += afterMs;
    usage.rests = undefined;
    return { afterMs, isFirst };
  }

  #usageOf(key: string): Usage {
    const nowMs = this.#clock.monotonic();
    let usage = this.#usages.get(key);
    if (usage === undefined) {
      this.#sweep(nowMs);
      usage = { syncs: 0, atMs: nowMs, rests: this.#turns.rests, pauses: 0 };
      this.#usages.set(key, usage);
    } else this.#forget(usage, nowMs);
    return usage;
  }

  #forget(usage: Usage, nowMs: number): void {
    const hasRested = usage.rests !== undefined && usage.rests !== this.#turns.rests;
    const elapsedMs = Math.max(0, nowMs - usage.atMs);
    usage.syncs = hasRested && elapsedMs === 0 ? 0 : Math.max(0, usage.syncs - elapsedMs * forgottenPerMs);
    if (usage.syncs === 0) usage.pauses = 0;
    usage.atMs = Math.max(usage.atMs, nowMs);
    usage.rests = this.#turns.rests;
  }

  #sweep(nowMs: number): void {
    if (this.#usages.size < this.#sweepAt) return;
    for (const [key, usage] of this.#usages) {
      if (usage.rests === undefined && usage.atMs > nowMs) continue;
      this.#forget(usage, nowMs);
      if (usage.syncs === 0) this.#usages.delete(key);
    }
    this.#sweepAt = Math.max(keysMax, 2 * this.#usages.size);
  }
}
