import { randomUUID } from 'node:crypto';
import { type ApiResource, type Clock, groupResourceOf, type Logger, type LogKeys, ObjectKey } from '@evenkeel/core';
import { TimeSlice } from '../cache/time-slice.ts';
import { LazyLogger } from '../log/lazy-logger.ts';
import { asReconcile } from '../reconcile/current-reconcile.ts';
import { runLogKeys } from '../reconcile/describe-run.ts';
import { controllerKeys, reconcileKeys } from '../reconcile/reconcile-keys.ts';
import type { LoopFinding, ObjectWrite, ReconcileOutcome, ReconcileRun } from '../reconcile/reconcile-run.ts';
import type { ReconcileReport, Reconciler } from '../reconcile/reconciler.ts';
import { RunWrites } from '../reconcile/run-writes.ts';
import { TerminalError } from '../reconcile/terminal-error.ts';
import { Trigger, TriggerLog, type Triggers } from '../reconcile/trigger.ts';
import type { WriteRecorder } from '../reconcile/write-recorder.ts';
import { Gate } from '../source/gate.ts';
import type { Source, SourceState } from '../source/source.ts';
import type { Workqueue } from '../workqueue/workqueue.ts';
import { DelayedRuns } from './delayed-runs.ts';
import { LoopBreaker } from './loop-breaker.ts';

export interface ControllerOptions {
  readonly name: string;
  readonly resource: ApiResource;
  readonly sources: readonly Source[];
  readonly reconciler: Reconciler;
  readonly queue: Workqueue<string>;
  readonly maxConcurrent: number;
  /** Undefined: runs have no timeout. */
  readonly timeoutMs: number | undefined;
  readonly writeRecorder: WriteRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether to log each run at the level `info` with its triggers and writes. */
  readonly logsRuns: boolean;
  /** Called after each run. Its errors are logged. */
  readonly observer: ((run: ReconcileRun) => void) | undefined;
  /** Called once for each loop when a key starts to trigger itself. */
  readonly loopFound: ((key: ObjectKey, loop: LoopFinding) => void) | undefined;
}

/** The state of a controller, for readiness and for people. */
export interface ControllerState {
  readonly name: string;
  /** The number of keys that it reconciles at the same time. */
  readonly maxConcurrent: number;
  /** Whether its workers are running: every source has delivered its initial objects. */
  readonly synced: boolean;
  readonly sources: readonly SourceState[];
  /** The keys that are being reconciled, and for how long. `stuck`: the run has exceeded its timeout. */
  readonly running: readonly { readonly key: string; readonly forMs: number; readonly stuck: boolean }[];
  /** Keys that are delayed because of a reconcile loop. */
  readonly looping: readonly { readonly key: string; readonly object: string; readonly path: string }[];
  /** The number of runs that have exceeded their timeout, including current ones. */
  readonly timeouts: number;
  /** The wall-clock time at which the last run ended. Undefined before the first. */
  readonly lastRunAt: number | undefined;
}

interface CurrentRun {
  readonly logKeys: LogKeys;
  readonly startMs: number;
  stuck: boolean;
}

/**
 * A controller: sources enqueue keys, and `maxConcurrent` workers process them. Runs of the same key never overlap. The
 * workers start when every source has delivered its initial objects.
 *
 * A run that throws is retried with the queue's backoff. After a run that wrote, its key stays occupied until the caches
 * contain the writes, so the next run never reads a cache that is older (except after a timeout). The worker is free in the
 * meantime. Events that contain only these writes trigger no run, unless the run changed the reconciled object. A key whose
 * writes still trigger it, through another controller, is slowed down: see `LoopBreaker`.
 */
export class RunningController {
  readonly name: string;
  readonly #options: ControllerOptions;
  readonly #triggers = new TriggerLog();
  readonly #delayed: DelayedRuns;
  readonly #loops: LoopBreaker;
  readonly #ownVersions = new Map<string, readonly string[]>();
  readonly #running = new Map<string, CurrentRun>();
  readonly #gate = new Gate();
  readonly #stopping = new AbortController();
  readonly #stopped = new Promise((resolve) =>
    this.#stopping.signal.addEventListener('abort', resolve, { once: true }),
  );
  /** Aborted when the grace period is over. */
  readonly #abort = new AbortController();
  /** Shared by all workers. With a slice for each worker, they would block the event loop for many times as long. */
  readonly #slice: TimeSlice;
  #turn: Promise<void> | undefined;
  #workers: Promise<void>[] = [];
  #synced = false;
  #timeouts = 0;
  #lastRunAt: number | undefined;

  constructor(options: ControllerOptions) {
    this.name = `controller ${options.name}`;
    this.#options = options;
    this.#delayed = new DelayedRuns(options.clock);
    this.#slice = new TimeSlice(options.clock);
    this.#loops = new LoopBreaker(options.clock, options.resource.kind);
  }

  get state(): ControllerState {
    const nowMs = this.#options.clock.monotonic();
    return {
      name: this.#options.name,
      maxConcurrent: this.#options.maxConcurrent,
      synced: this.#synced,
      sources: this.#options.sources.map((source) => source.state),
      running: [...this.#running].map(([key, run]) => ({ key, forMs: nowMs - run.startMs, stuck: run.stuck })),
      looping: this.#loops.slowed.map(({ key, finding: { object, path } }) => ({ key, object, path })),
      timeouts: this.#timeouts,
      lastRunAt: this.#lastRunAt,
    };
  }

  /** For metrics. */
  get queue(): Pick<Workqueue<string>, 'lengthByPriority' | 'processingSince'> {
    return this.#options.queue;
  }

  /** Returns immediately. The sources sync in the background, without a timeout. */
  async start(failed: (error: unknown) => void): Promise<void> {
    const { sources, queue, maxConcurrent } = this.#options;
    for (const source of sources) {
      source.start((key, trigger, isBackground, afterMs = 0) => {
        this.#triggers.record(String(key), trigger);
        queue.add(String(key), { priority: isBackground ? backgroundPriority : 0, afterMs });
      }, this.#gate);
    }
    Promise.all(sources.map((source) => source.waitForSync(this.#stopping.signal))).then(() => {
      if (this.#stopping.signal.aborted) return;
      this.#synced = true;
      this.#options.logger.info('controller started', { workers: maxConcurrent });
      this.#workers = Array.from({ length: maxConcurrent }, () => this.#work().catch(failed));
    }, this.#unlessStopping(failed));
  }

  /** Resolves when the sources have synced. Rejects with the signal's reason. */
  async waitUntilSynced(signal: AbortSignal | undefined): Promise<void> {
    const waiting = signal === undefined ? this.#stopping.signal : AbortSignal.any([signal, this.#stopping.signal]);
    await Promise.all(this.#options.sources.map((source) => source.waitForSync(waiting)));
  }

  async stop(abort: AbortSignal): Promise<void> {
    this.#stopping.abort(new Error(`${this.name} is stopping`));
    for (const source of this.#options.sources) source.stop();
    this.#options.queue.shutDown();
    const aborted = new Promise<void>((resolve) => {
      const onAbort = (): void => {
        this.#abort.abort(abort.reason);
        resolve();
      };
      if (abort.aborted) onAbort();
      else abort.addEventListener('abort', onAbort, { once: true });
    });
    await Promise.race([Promise.all(this.#workers), aborted]);
    for (const { logKeys } of this.#running.values()) {
      this.#options.logger.warn('reconcile did not finish before the manager stopped', logKeys);
    }
  }

  #unlessStopping(failed: (error: unknown) => void): (error: unknown) => void {
    return (error) => {
      if (!this.#stopping.signal.aborted) failed(error);
    };
  }

  #nextTurn(): Promise<void> {
    this.#turn ??= this.#slice.next().then(() => {
      this.#turn = undefined;
    });
    return this.#turn;
  }

  async #work(): Promise<void> {
    const { queue } = this.#options;
    for (;;) {
      // Runs that find the desired state never wait, so without this they would block the event loop.
      if (this.#slice.isOver()) await this.#nextTurn();
      const key = await queue.get();
      if (key === undefined) return;
      if (this.#stopping.signal.aborted) {
        queue.done(key);
        return;
      }
      if (!this.#gate.isOpen) {
        queue.add(key);
        queue.done(key);
        await Promise.race([this.#gate.whenOpen(), this.#stopped]);
        continue;
      }
      const triggers = this.#triggers.take(key);
      if (this.#hasSeen(key, triggers)) {
        queue.done(key);
        this.#delayed.resume(key, (delayMs) => queue.addAfter(key, delayMs));
        continue;
      }
      const holdMs = this.#delayed.isDue(key) ? 0 : this.#loops.holdMs(key, triggers.listed);
      if (holdMs > 0) {
        this.#triggers.restore(key, triggers);
        queue.done(key);
        queue.addAfter(key, holdMs);
        this.#delayed.resume(key, (delayMs) => queue.addAfter(key, delayMs));
        continue;
      }
      await this.#run(key, this.#explained(key, triggers));
    }
  }

  /**
   * Whether a run would learn nothing new: there is neither an event nor a due delay, or all events contain only the last
   * run's own writes. Deletions do not count as known, because the response to a write that removes an object may have the
   * version of the deletion. Nor do versions from a new list, because other changes may have preceded them.
   */
  #hasSeen(key: string, { listed, unlisted }: Triggers): boolean {
    if (listed.length === 0) return !this.#delayed.isDue(key);
    const own = this.#ownVersions.get(key);
    return own !== undefined && unlisted === 0 && listed.every((trigger) => bringsBack(trigger, own));
  }

  /** Returns the triggers without those of the last run's own writes, if there are others. */
  #news(key: string, triggers: readonly Trigger[]): readonly Trigger[] {
    const own = this.#ownVersions.get(key);
    if (own === undefined || triggers.length === 1) return triggers;
    const news = triggers.filter((trigger) => !bringsBack(trigger, own));
    return news.length === 0 ? triggers : news;
  }

  /** If there was no event, the trigger is the delay or the backoff after the last run. */
  #explained(key: string, { listed }: Triggers): readonly Trigger[] {
    const verb = this.#delayed.take(key);
    if (listed.length > 0 || verb === undefined) return listed;
    return [new Trigger(verb, this.#options.resource.kind, ObjectKey.parse(key))];
  }

  async #run(key: string, triggers: readonly Trigger[]): Promise<void> {
    const { clock, queue, reconciler, writeRecorder, timeoutMs } = this.#options;
    const writes = new RunWrites();
    const news = this.#news(key, triggers);
    const { name, resource, logger } = this.#options;
    const object = ObjectKey.parse(key);
    const logKeys = reconcileKeys(resource, object, randomUUID());
    const current: CurrentRun = { startMs: clock.monotonic(), logKeys, stuck: false };
    const timeout = new AbortController();
    const timer =
      timeoutMs === undefined
        ? undefined
        : clock.schedule(timeoutMs, () => {
            current.stuck = true;
            this.#timeouts++;
            logger.warn('reconcile exceeded its timeout', { ...logKeys, timeoutMs });
            timeout.abort(new Error(`the reconcile of ${key} exceeded its timeout of ${timeoutMs} ms`));
          });
    const signal = timeoutMs === undefined ? this.#abort.signal : AbortSignal.any([this.#abort.signal, timeout.signal]);
    this.#running.set(key, current);
    let report: ReconcileReport | undefined;
    let error: unknown;
    try {
      report = await asReconcile(
        { controller: name, key, logKeys: { ...controllerKeys(name, resource), ...logKeys } },
        () =>
          writeRecorder.collect(writes, () =>
            reconciler({ key: object, triggers: news, signal, logger: new LazyLogger(logger, logKeys) }),
          ),
      );
    } catch (caught) {
      error = caught;
    }
    timer?.cancel();
    writes.end();
    this.#running.delete(key);
    this.#lastRunAt = clock.now();
    const { outcome, againAfterMs } = this.#conclude(key, logKeys, report, error);
    this.#remember(key, writes.list);
    const { startMs } = current;
    const waiting = this.#triggers.waiting(key);
    const loop = this.#loops.ended(key, { startMs, triggers, writes: writes.list, waiting });
    if (loop?.isNew) this.#reportLoop(key, logKeys, loop);
    this.#report(logKeys, {
      controller: name,
      kind: resource.kind,
      key: object,
      triggers: news,
      writes: writes.list,
      durationMs: clock.monotonic() - current.startMs,
      ...(report?.generation === undefined ? {} : { generation: report.generation }),
      outcome,
      ...(againAfterMs === undefined ? {} : { againAfterMs }),
      ...(loop === undefined ? {} : { loop }),
      ...(outcome === 'failed' || outcome === 'terminal' ? { error } : {}),
    });
    if (!writes.isAwaited || this.#stopping.signal.aborted) queue.done(key);
    else void writes.seen().then(() => queue.done(key));
  }

  /** Schedules the next run. */
  #conclude(
    key: string,
    logKeys: LogKeys,
    report: ReconcileReport | undefined,
    error: unknown,
  ): { outcome: ReconcileOutcome; againAfterMs?: number } {
    const { queue, logger } = this.#options;
    if (report === undefined) {
      if (error instanceof TerminalError) {
        queue.forget(key);
        logger.error('reconcile failed and is not retried', { ...logKeys, error });
        return { outcome: 'terminal' };
      }
      const againAfterMs = queue.addRateLimited(key);
      this.#delayed.set(key, 'retried', againAfterMs);
      logger.error('reconcile failed', { ...logKeys, error, againAfterMs });
      return { outcome: 'failed', againAfterMs };
    }
    switch (report.outcome) {
      case 'conflict': {
        const againAfterMs = queue.addRateLimited(key);
        this.#delayed.set(key, 'retried', againAfterMs);
        logger.debug('status write conflict; reconciling again', { ...logKeys, againAfterMs });
        return { outcome: 'conflict', againAfterMs };
      }
      case 'requeue-after': {
        const againAfterMs = report.afterMs ?? 0;
        queue.forget(key);
        queue.addAfter(key, againAfterMs);
        this.#delayed.set(key, 'requeued', againAfterMs);
        return { outcome: 'requeue-after', againAfterMs };
      }
      default:
        queue.forget(key);
        return { outcome: report.outcome };
    }
  }

  #remember(key: string, writes: readonly ObjectWrite[]): void {
    const versions = writes.flatMap((write) =>
      write.resourceVersion === undefined || this.#changesItself(key, write) ? [] : write.resourceVersion,
    );
    if (versions.length === 0) this.#ownVersions.delete(key);
    else this.#ownVersions.set(key, versions);
  }

  /**
   * Whether a run changed its own object. Then it has not seen the new state yet, and a method that takes one step in each run
   * relies on being called again. Status and finalizers do not count, because they are the results of the run.
   */
  #changesItself(key: string, { key: written, resource, subresource, effect, changed }: ObjectWrite): boolean {
    if (String(written) !== key || subresource === 'status') return false;
    if (groupResourceOf(resource) !== groupResourceOf(this.#options.resource)) return false;
    if (subresource !== undefined) return effect === 'changed';
    return effect === 'created' || (effect === 'changed' && changed.some((path) => path !== 'metadata.finalizers'));
  }

  #reportLoop(key: string, logKeys: LogKeys, loop: LoopFinding): void {
    const { loopFound, logger } = this.#options;
    const { object: writes, path, delayMs } = loop;
    logger.warn('reconcile triggers itself repeatedly; slowing it down', { ...logKeys, writes, path, delayMs });
    loopFound?.(ObjectKey.parse(key), loop);
  }

  #report(logKeys: LogKeys, run: ReconcileRun): void {
    const { observer, logger, logsRuns } = this.#options;
    if (logsRuns) logger.info('reconciled', { ...logKeys, ...runLogKeys(run) });
    else logger.debug('reconciled', { ...logKeys, outcome: run.outcome, durationMs: run.durationMs });
    try {
      observer?.(run);
    } catch (error) {
      logger.error('reconcile observer threw', { error });
    }
  }
}

/** Whether an event contains only one of these writes. */
function bringsBack({ verb, resourceVersion, mayHideOthers }: Trigger, own: readonly string[]): boolean {
  return verb !== 'deleted' && !mayHideOthers && resourceVersion !== undefined && own.includes(resourceVersion);
}

/** Lower than the priority of events, as in controller-runtime (`handler.LowPriority`). */
const backgroundPriority = -100;
