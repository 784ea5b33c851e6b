// Not the global one: a test that fakes timers would stop every controller.
import { setImmediate } from 'node:timers';
import type { Clock } from '@evenkeel/core';

/** The most syncs that start in one turn of the event loop, and the time after which no further sync starts. */
const syncsMax = 32;
const syncMs = 10;
/** The default maximum of writes in one turn. It is higher, so that a sync that has started can usually finish. */
const usualWritesMax = 64;
const writeMs = 20;

/**
 * The turns of the event loop, which the controllers of one server share. Syncs and writes run at once, in the same turn
 * as the event that caused them, until the limit of the turn is reached. The others wait for the next turn, so that timers
 * and sockets are served in between, however many controllers react to one another.
 *
 * The limit is a count, so that a run on a clock that does not advance is reproducible. On an advancing clock it also is
 * a few milliseconds.
 */
export class SyncTurns {
  readonly #clock: Clock;
  readonly #writesMax: number;
  readonly #writers: (() => void)[] = [];
  readonly #starters: (() => void)[] = [];
  readonly #later = new Map<number, (() => void)[]>();
  #syncs = 0;
  #writes = 0;
  #startMs = 0;
  #turn = 0;
  #rests = 0;
  #isAwaited = false;

  constructor(clock: Clock, writesMax = usualWritesMax) {
    this.#clock = clock;
    this.#writesMax = writesMax;
  }

  /** The number of turns that ended without any work left for the controllers. */
  get rests(): number {
    return this.#rests;
  }

  /** Starts a sync: now if the limit allows it, else in one of the next turns. `afterTurns` delays it by at least that many. */
  start(sync: () => void, afterTurns = 0): void {
    this.#await();
    if (afterTurns > 0) {
      const turn = this.#turn + afterTurns;
      const others = this.#later.get(turn);
      if (others === undefined) this.#later.set(turn, [sync]);
      else others.push(sync);
    } else if (this.#starters.length === 0 && this.#hasRoomForSync()) {
      this.#syncs++;
      sync();
    } else this.#starters.push(sync);
  }

  /** Await this before a write. Returns undefined if the write can start now. */
  room(): Promise<void> | undefined {
    this.#await();
    if (this.#writers.length === 0 && this.#hasRoomForWrite()) {
      this.#writes++;
      return undefined;
    }
    return new Promise((resolve) => this.#writers.push(resolve));
  }

  #hasRoomForSync(): boolean {
    return this.#syncs === 0 || (this.#syncs < syncsMax && this.#elapsedMs() < syncMs);
  }

  #hasRoomForWrite(): boolean {
    return this.#writes === 0 || (this.#writes < this.#writesMax && this.#elapsedMs() < writeMs);
  }

  #elapsedMs(): number {
    return this.#clock.monotonic() - this.#startMs;
  }

  /** Waits for the end of the turn. Keeps the process alive until then, because work is left. */
  #await(): void {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    if (this.#syncs === 0 && this.#writes === 0) this.#startMs = this.#clock.monotonic();
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isAwaited = false;
    this.#turn++;
    const due = this.#later.get(this.#turn) ?? [];
    this.#later.delete(this.#turn);
    this.#starters.push(...due);
    const waiting = this.#writers.length + this.#starters.length + this.#later.size;
    const isRest = this.#syncs === 0 && this.#writes === 0 && waiting === 0;
    this.#syncs = 0;
    this.#writes = 0;
    if (isRest) {
      this.#rests++;
      return;
    }
    this.#await();
    // Syncs that have already started continue first.
    this.#writes = Math.min(this.#writesMax, this.#writers.length);
    for (const write of this.#writers.splice(0, this.#writes)) write();
    let started = 0;
    while (started < this.#starters.length && this.#hasRoomForSync()) {
      this.#syncs++;
      this.#starters[started++]?.();
    }
    this.#starters.splice(0, started);
  }
}
