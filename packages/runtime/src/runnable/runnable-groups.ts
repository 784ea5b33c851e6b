import { type Clock, EvenkeelError, type Logger } from '@evenkeel/core';
import type { Runnable } from './runnable.ts';

/**
 * The groups in the order of their start, as in controller-runtime (pkg/manager/internal.go). Each group starts when the
 * previous one is ready.
 * - `servers` (probes and metrics) start first and stop last, so that they can be queried at any time.
 * - `events` are next, so that Events can be recorded while the others stop.
 * - `caches` are ready as soon as they have started, because a kind that is not served must not block components that do not
 *   need it. They are filled while the process waits to become the leader.
 * - `webhooks` read the caches, and work in every process, so they do not wait for the election. They stop after the controllers,
 *   whose writes may need them.
 * - `election` is ready when this process is the leader; then `leader` starts. If `election` is empty, nothing waits for it.
 */
const startOrder = ['servers', 'events', 'caches', 'webhooks', 'others', 'election', 'leader'] as const;

/** The leader keeps the Lease until everything that can write has stopped. */
const stopOrder: readonly RunnableGroup[] = ['others', 'leader', 'webhooks', 'caches', 'election', 'events', 'servers'];

export type RunnableGroup = (typeof startOrder)[number];

export interface RunnableGroupsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The maximum duration of the whole stop. */
  readonly gracePeriodMs: number;
}

/** How long to wait for `stop` after the abort. Runnables that take longer are abandoned. */
const abortedMs = 1000;

/** Groups of runnables that are started and stopped in order. The first error of any of them stops all: see {@link failure}. */
export class RunnableGroups {
  readonly #options: RunnableGroupsOptions;
  readonly #members = new Map<RunnableGroup, Runnable[]>(startOrder.map((group) => [group, []]));
  readonly #started = new Set<RunnableGroup>();
  /** The runnables that a runnable of the same group needs. */
  readonly #needs = new Map<Runnable, readonly Runnable[]>();
  /** The runnables whose start was called. */
  readonly #begun = new Set<Runnable>();
  /** The runnables whose start has not resolved, except the election, which may wait forever. */
  readonly #starting = new Set<Runnable>();
  readonly #failure = Promise.withResolvers<unknown>();
  readonly #allStarted = Promise.withResolvers<void>();
  readonly #abort = new AbortController();
  #state: 'new' | 'started' | 'stopped' = 'new';
  #stopping: Promise<{ drained: boolean }> | undefined;

  constructor(options: RunnableGroupsOptions) {
    this.#options = options;
  }

  /** Resolves with the first error of a started runnable. Never resolves if there is none. */
  get failure(): Promise<unknown> {
    return this.#failure.promise;
  }

  /** Resolves when the last group has started. Never resolves if this process does not become the leader. */
  get allStarted(): Promise<void> {
    return this.#allStarted.promise;
  }

  /** Adds a runnable. Must be called before the start. */
  add(group: RunnableGroup, runnable: Runnable): void {
    if (this.#state !== 'new') throw new Error(`bug: ${runnable.name} was added to a manager that has started`);
    this.#members.get(group)?.push(runnable);
  }

  /**
   * Makes a runnable start when those that it needs have started, and stop before them. Runnables of other groups are ignored,
   * because groups have their own order. `needs` must not form circles. Must be called before the start.
   */
  order(runnable: Runnable, needs: readonly Runnable[]): void {
    this.#needs.set(runnable, needs);
  }

  /**
   * Starts the groups in order, up to the election if there is one. The `leader` group starts later, in the background. If a
   * start rejects, stops everything and then throws the error.
   */
  async start(): Promise<void> {
    if (this.#state !== 'new') {
      throw new EvenkeelError('manager-started-twice', 'the manager was already started; create another manager');
    }
    this.#state = 'started';
    const isElected = this.#membersOf('election').length > 0;
    const atOnce = startOrder.filter((group) => !isElected || (group !== 'election' && group !== 'leader'));
    try {
      for (const group of atOnce) await this.#startGroup(group);
    } catch (error) {
      await this.stop();
      throw error;
    }
    if (isElected) void this.#lead();
    else this.#allStarted.resolve();
  }

  /**
   * Stops the groups in order. They share the grace period; runnables that are still running at its end are aborted. Resolves
   * with whether all stopped before that. May be called at any time and repeatedly.
   */
  stop(): Promise<{ drained: boolean }> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Stops without a grace period. Also aborts a stop that is in progress. */
  #stopAtOnce(reason: unknown): void {
    this.#abort.abort(reason);
    void this.stop();
  }

  async #lead(): Promise<void> {
    try {
      await this.#startGroup('election');
      await this.#startGroup('leader');
      this.#allStarted.resolve();
    } catch (error) {
      if (this.#state === 'started') this.#fail('leader', error);
    }
  }

  async #startGroup(group: RunnableGroup): Promise<void> {
    if (this.#state === 'stopped') return;
    this.#started.add(group);
    const members = this.#membersOf(group);
    await afterOthers(members, this.#needed, (runnable) => this.#start(group, runnable));
  }

  async #start(group: RunnableGroup, runnable: Runnable): Promise<void> {
    // It may have waited for another one.
    if (this.#state === 'stopped') return;
    this.#begun.add(runnable);
    if (group !== 'election') this.#starting.add(runnable);
    try {
      await runnable.start((error, inOrder) => this.#fail(group, error, inOrder));
    } finally {
      this.#starting.delete(runnable);
    }
  }

  #fail(group: RunnableGroup, error: unknown, inOrder = false): void {
    this.#failure.resolve(error);
    // Another process may already be the leader.
    if (group === 'election' && !inOrder) this.#stopAtOnce(error);
    else void this.stop();
  }

  readonly #needed = (runnable: Runnable): readonly Runnable[] => this.#needs.get(runnable) ?? [];

  #membersOf(group: RunnableGroup): readonly Runnable[] {
    return this.#members.get(group) ?? [];
  }

  async #stop(): Promise<{ drained: boolean }> {
    const { clock, logger, gracePeriodMs } = this.#options;
    this.#state = 'stopped';
    for (const { name } of this.#starting) logger.warn('stopped before it had started', { runnable: name });
    for (const members of this.#members.values()) for (const runnable of members) runnable.stopping?.();
    const timer = clock.schedule(gracePeriodMs, () => this.#abort.abort(new Error('the grace period is over')));
    try {
      for (const group of stopOrder) if (this.#started.has(group)) await this.#stopGroup(group);
    } finally {
      timer.cancel();
    }
    return { drained: !this.#abort.signal.aborted };
  }

  async #stopGroup(group: RunnableGroup): Promise<void> {
    const { clock, logger } = this.#options;
    const members = this.#membersOf(group).filter((runnable) => this.#begun.has(runnable));
    const unfinished = new Set(members);
    const stop = async (runnable: Runnable): Promise<void> => {
      try {
        await runnable.stop(this.#abort.signal);
      } catch (error) {
        this.#failure.resolve(error);
        logger.error('failed to stop', { runnable: runnable.name, error });
      }
      unfinished.delete(runnable);
    };
    const needing = (runnable: Runnable) => members.filter((other) => this.#needed(other).includes(runnable));
    const stopped = afterOthers(members, needing, stop, this.#abort.signal);
    const left = new AbortController();
    const leave = async (): Promise<void> => {
      await aborted(this.#abort.signal, left.signal);
      await clock.sleep(abortedMs, left.signal);
    };
    await Promise.race([stopped, leave().catch(() => undefined)]);
    left.abort();
    for (const { name } of unfinished) logger.warn('did not stop when it was aborted', { runnable: name });
  }
}

/**
 * Calls a function for each runnable when its calls for the others that it waits for have resolved, or when `abort` is aborted.
 * Rejects with the first error, and then calls it for none that waits.
 */
async function afterOthers(
  members: readonly Runnable[],
  othersOf: (runnable: Runnable) => readonly Runnable[],
  call: (runnable: Runnable) => Promise<void>,
  abort?: AbortSignal,
): Promise<void> {
  const done = new Map(members.map((runnable) => [runnable, Promise.withResolvers<void>()]));
  const given = new AbortController();
  const isAborted = abort === undefined ? [] : [aborted(abort, given.signal).catch(() => undefined)];
  try {
    await Promise.all(
      [...done].map(async ([runnable, { resolve }]) => {
        const others = othersOf(runnable).flatMap((other) => done.get(other)?.promise ?? []);
        if (others.length > 0) await Promise.race([Promise.all(others), ...isAborted]);
        await call(runnable);
        resolve();
      }),
    );
  } finally {
    given.abort();
  }
}

/** Resolves when `signal` is aborted. Rejects when `given` is aborted. */
function aborted(signal: AbortSignal, given: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true, signal: given });
    given.addEventListener('abort', () => reject(given.reason), { once: true });
  });
}
