// Not the global one: a test that fakes timers would stop every controller with it.
import { setImmediate } from 'node:timers';
import type { Clock } from '@evenkeel/core';

/** How many syncs start in one turn of the event loop, and for how long. */
const syncsMax = 32;
const syncMs = 10;
/** How many writes there are in it, by default: more, so that a sync that has started can usually finish. */
const usualWritesMax = 64;
const writeMs = 20;

/**
 * The turns of the event loop, as the controllers of one server share them. Syncs and writes run at once, in the same
 * turn as the event that caused them, until the turn's share is used up; the others wait for the next turn, so that
 * timers and sockets get theirs in between. That holds however many controllers react to one another.
 *
 * The share is counted, so that a run on a clock that stands still repeats itself; on a clock that moves it also ends
 * after some milliseconds.
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

  /** How often a turn has ended in which no controller had anything to do. */
  get rests(): number {
    return this.#rests;
  }

  /** Starts a sync: now if there is room, else in one of the next turns; `afterTurns` makes it wait for so many at least. */
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

  /** To be awaited before a write: undefined if there is room for it now. */
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

  /** Waits for the end of the turn. It keeps the process alive until then: there is work left. */
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
    // Those that started already go first.
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
