import { type Clock, EvenkeelError, type Logger } from '@evenkeel/core';
import type { Runnable } from './runnable.ts';

/**
 * In order of start, which is controller-runtime's (pkg/manager/internal.go): each group is started when the one before it
 * is ready. Servers of probes and metrics come first, and end last, so that the process can be asked at any time; then
 * events, so that whatever happens while stopping can still be told. `election` is ready
 * when this process leads, so that `leader` is started then; there is no waiting where nothing is in `election`.
 *
 * The caches do not hold up what comes after them: they are ready when they have begun, because one kind that is not
 * served must not hold back what does not need it. They are filled while the process stands by.
 */
const startOrder = ['servers', 'events', 'caches', 'others', 'election', 'leader'] as const;

/** Who leads keeps the Lease until nothing is left that could write. */
const stopOrder: readonly RunnableGroup[] = ['others', 'leader', 'caches', 'election', 'events', 'servers'];

export type RunnableGroup = (typeof startOrder)[number];

export interface RunnableGroupsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long all of a stop may take. */
  readonly gracePeriodMs: number;
}

/** What has been aborted has this long to resolve its `stop`; then it is left to itself. */
const abortedMs = 1000;

/**
 * Runnables in groups, started and stopped in order. The first error of any of them is the one that counts, and ends all;
 * see {@link failure}.
 */
export class RunnableGroups {
  readonly #options: RunnableGroupsOptions;
  readonly #members = new Map<RunnableGroup, Runnable[]>(startOrder.map((group) => [group, []]));
  readonly #started = new Set<RunnableGroup>();
  /** Whose start has not resolved. An election is none of them: it may stand by for ever. */
  readonly #starting = new Set<Runnable>();
  readonly #failure = Promise.withResolvers<unknown>();
  readonly #allStarted = Promise.withResolvers<void>();
  readonly #abort = new AbortController();
  #state: 'new' | 'started' | 'stopped' = 'new';
  #stopping: Promise<{ drained: boolean }> | undefined;

  constructor(options: RunnableGroupsOptions) {
    this.#options = options;
  }

  /** Resolves with the first error of a started runnable, and never if there is none. */
  get failure(): Promise<unknown> {
    return this.#failure.promise;
  }

  /** Resolves when the last group has started, which it does when this process leads; never where it does not. */
  get allStarted(): Promise<void> {
    return this.#allStarted.promise;
  }

  /** Adds a runnable. Only before the start. */
  add(group: RunnableGroup, runnable: Runnable): void {
    if (this.#state !== 'new') throw new Error(`bug: ${runnable.name} was added to a manager that has started`);
    this.#members.get(group)?.push(runnable);
  }

  /**
   * Starts group after group, up to the election where there is one; the leader's group follows behind it. Where one
   * rejects, everything is stopped, and then the error is thrown.
   */
  async start(): Promise<void> {
    if (this.#state !== 'new') {
      throw new EvenkeelError('manager-started-twice', 'a manager starts once; create another one to run it again');
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
   * Stops group after group. All of them share the grace period; when it is over, what is left is aborted. Resolves with
   * whether everything ended by itself. Safe to call at any time, and again.
   */
  stop(): Promise<{ drained: boolean }> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Ends without any grace, also a stop that is under way. */
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
    await Promise.all(this.#membersOf(group).map((runnable) => this.#start(group, runnable)));
  }

  async #start(group: RunnableGroup, runnable: Runnable): Promise<void> {
    if (group !== 'election') this.#starting.add(runnable);
    try {
      await runnable.start((error) => this.#fail(group, error));
    } finally {
      this.#starting.delete(runnable);
    }
  }

  #fail(group: RunnableGroup, error: unknown): void {
    this.#failure.resolve(error);
    // Somebody else may lead by now.
    if (group === 'election') this.#stopAtOnce(error);
    else void this.stop();
  }

  #membersOf(group: RunnableGroup): readonly Runnable[] {
    return this.#members.get(group) ?? [];
  }

  async #stop(): Promise<{ drained: boolean }> {
    const { clock, logger, gracePeriodMs } = this.#options;
    this.#state = 'stopped';
    for (const { name } of this.#starting) logger.warn('is stopped before it has started', { runnable: name });
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
    const unfinished = new Set(this.#membersOf(group));
    const stopped = [...unfinished].map(async (runnable) => {
      try {
        await runnable.stop(this.#abort.signal);
      } catch (error) {
        this.#failure.resolve(error);
        logger.error('could not be stopped', { runnable: runnable.name, error });
      }
      unfinished.delete(runnable);
    });
    const left = new AbortController();
    const leave = async (): Promise<void> => {
      await aborted(this.#abort.signal, left.signal);
      await clock.sleep(abortedMs, left.signal);
    };
    await Promise.race([Promise.all(stopped), leave().catch(() => undefined)]);
    left.abort();
    for (const { name } of unfinished) logger.warn('did not end when it was aborted', { runnable: name });
  }
}

/** Resolves when `signal` is aborted; rejects when `given` is. */
function aborted(signal: AbortSignal, given: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true, signal: given });
    given.addEventListener('abort', () => reject(given.reason), { once: true });
  });
}
