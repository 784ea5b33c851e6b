import type { Timer } from '@evenkeel/core';
import type { ControllerContext } from './controller.ts';
import { SyncPace } from './sync-pace.ts';

const firstRetryMs = 5;
const longestRetryMs = 1000;

export type KeyedSyncContext = Pick<ControllerContext, 'clock' | 'turns' | 'logger'>;

/**
 * Runs `sync` for each added key: never twice at once for one key, and once more if the key was added during a run. A sync
 * that rejects is retried after 5 ms, with a delay that doubles up to a second. This is the workqueue of a controller that
 * lives in the server and reads the store directly.
 *
 * It yields to other work on the event loop ({@link SyncTurns}). A key that never settles ({@link SyncPace}) is slowed
 * down, and reported as an error with the controller and the key.
 */
export class KeyedSync {
  readonly #context: KeyedSyncContext;
  readonly #sync: (key: string) => Promise<void>;
  readonly #nameOf: (key: string) => string;
  readonly #pace: SyncPace;
  readonly #dirty = new Set<string>();
  /** The keys that sync or wait for their turn. */
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, Timer>();
  readonly #pauses = new Map<string, Timer>();
  #stopped = false;

  /** `nameOf` returns the name under which the object of a key is reported. Default: the key. */
  constructor(
    context: KeyedSyncContext,
    sync: (key: string) => Promise<void>,
    nameOf: (key: string) => string = (key) => key,
  ) {
    this.#context = context;
    this.#sync = sync;
    this.#nameOf = nameOf;
    this.#pace = new SyncPace(context.clock, context.turns);
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#dirty.add(key);
    this.#schedule(key);
  }

  /** Adds the key after a delay. A second call replaces the first; each sync sets the delay that it needs. */
  addAfter(key: string, delayMs: number): void {
    if (this.#stopped) return;
    this.#timers.get(key)?.cancel();
    this.#arm(this.#timers, key, delayMs, () => this.add(key));
  }

  stop(): void {
    this.#stopped = true;
    this.#dirty.clear();
    for (const timers of [this.#timers, this.#pauses]) {
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
    }
  }

  #schedule(key: string): void {
    if (this.#running.has(key) || !this.#dirty.has(key)) return;
    this.#running.add(key);
    const start = this.#pace.take(key);
    if ('afterTurns' in start) {
      this.#context.turns.start(() => this.#run(key), start.afterTurns);
      return;
    }
    const { afterMs, isFirst } = start;
    if (isFirst) {
      this.#context.logger.error('an object never settles: its syncs are slowed down', {
        key: this.#nameOf(key),
        againAfterMs: afterMs,
      });
    }
    this.#arm(this.#pauses, key, afterMs, () => this.#context.turns.start(() => this.#run(key)));
  }

  #run(key: string): void {
    if (!this.#dirty.delete(key)) return;
    void this.#sync(key).then(
      () => {
        this.#failures.delete(key);
        this.#done(key);
      },
      () => {
        const failures = this.#failures.get(key) ?? 0;
        this.#failures.set(key, failures + 1);
        this.#done(key);
        this.addAfter(key, Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures, 20)));
      },
    );
  }

  #done(key: string): void {
    this.#running.delete(key);
    this.#schedule(key);
  }

  #arm(timers: Map<string, Timer>, key: string, delayMs: number, due: () => void): void {
    const timer = this.#context.clock.schedule(
      delayMs,
      () => {
        timers.delete(key);
        due();
      },
      { unref: true },
    );
    timers.set(key, timer);
  }
}
