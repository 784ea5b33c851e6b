import { type Clock, EvenkeelError } from '@evenkeel/core';
import type { Runnable } from './runnable.ts';

/**
 * In order of start: each group is started when the one before it is ready, and stopped when the one after it has
 * stopped. Events come first so that whatever happens while stopping can still be told.
 */
const runnableGroups = ['events', 'caches', 'controllers'] as const;

type RunnableGroup = (typeof runnableGroups)[number];

/**
 * Runnables in groups, started and stopped in order. The first error of any of them is the one that counts; see
 * {@link failure}.
 */
export class RunnableGroups {
  readonly #clock: Clock;
  readonly #members = new Map<RunnableGroup, Runnable[]>(runnableGroups.map((group) => [group, []]));
  readonly #started: RunnableGroup[] = [];
  readonly #failure = Promise.withResolvers<unknown>();
  #state: 'new' | 'started' | 'stopped' = 'new';
  #stopping: Promise<{ drained: boolean }> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves with the first error of a started runnable, and never if there is none. */
  get failure(): Promise<unknown> {
    return this.#failure.promise;
  }

  /** Adds a runnable. Only before the start. */
  add(group: RunnableGroup, runnable: Runnable): void {
    if (this.#state !== 'new') throw new Error(`bug: ${runnable.name} was added to a manager that has started`);
    this.#members.get(group)?.push(runnable);
  }

  /** Starts group after group. Where one rejects, what had been started is stopped, and the error is thrown. */
  async start(): Promise<void> {
    if (this.#state !== 'new') {
      throw new EvenkeelError('manager-started-twice', 'a manager starts once; create another one to run it again');
    }
    this.#state = 'started';
    for (const group of runnableGroups) {
      if ((this.#state as string) === 'stopped') return;
      this.#started.push(group);
      await Promise.all(
        (this.#members.get(group) ?? []).map((runnable) => runnable.start((error) => this.#failure.resolve(error))),
      );
    }
  }

  /**
   * Stops group after group, last first. All of them share one grace period; when it is over, what is left is aborted.
   * Resolves with whether everything ended by itself. Safe to call at any time, and again.
   */
  stop(gracePeriodMs: number): Promise<{ drained: boolean }> {
    this.#stopping ??= this.#stop(gracePeriodMs);
    return this.#stopping;
  }

  async #stop(gracePeriodMs: number): Promise<{ drained: boolean }> {
    this.#state = 'stopped';
    const abort = new AbortController();
    const timer = this.#clock.schedule(gracePeriodMs, () => abort.abort(new Error('the grace period is over')));
    try {
      for (const group of this.#started.toReversed()) {
        const members = this.#members.get(group) ?? [];
        const results = await Promise.allSettled(members.map((runnable) => runnable.stop(abort.signal)));
        for (const result of results) if (result.status === 'rejected') this.#failure.resolve(result.reason);
      }
    } finally {
      timer.cancel();
    }
    return { drained: !abort.signal.aborted };
  }
}
