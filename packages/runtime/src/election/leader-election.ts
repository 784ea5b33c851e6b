import {
  type Clock,
  EvenkeelError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  type KubernetesObject,
  type Logger,
  type Random,
  StatusError,
  type Timer,
} from '@evenkeel/core';
import type { Lease, LeaseSpec } from '@evenkeel/kinds/coordination/v1';
import { Reminder } from '../log/reminder.ts';
import { type ElectionTiming, jitterFactor } from './election-timing.ts';
import type { LeaseLock } from './lease-lock.ts';

/** Of an answer of a server that is quoted. */
const longestQuote = 500;

/** The first, another after a renewal that came between, and one more. */
const releaseAttempts = 3;

export interface LeaderElectionParts {
  readonly lock: LeaseLock;
  /** Who this candidate is; no two processes have the same. */
  readonly identity: string;
  readonly timing: ElectionTiming;
  readonly releaseOnStop: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Whether somebody else says, in each of its tries, that the server does not answer. Default: nobody does. */
  readonly isAwayTold?: () => boolean;
  /** Told of the Lease when this candidate leads, and when it has given it back. */
  readonly tell: (lease: KubernetesObject, note: string) => void;
}

export interface ElectionState {
  readonly role: 'candidate' | 'leader' | 'lost' | 'stopped';
  /** Who holds the Lease, as far as is known; empty where nobody does. */
  readonly holder: string | undefined;
  /** Why the last try failed, with what to do; undefined where it got an answer that it could use. */
  readonly problem: string | undefined;
}

/**
 * One candidate of an election on a Lease, by client-go's rules (tools/leaderelection): who leads renews the Lease every
 * `retryPeriod`; others take it when they have seen it unchanged for the duration that stands in it. Times in the Lease are
 * for people: nobody's clock but one's own monotonic one decides, so clocks may be set as they like, but must run at about
 * the same rate.
 *
 * A leader that has not renewed for `renewDeadline`, counted from the *sending* of its last renewal that succeeded, has lost
 * for good: it is told as a failure, and this object is no candidate any more. So has one that finds somebody else in the
 * Lease.
 *
 * Guarantee: on machines whose monotonic clocks agree in rate, no two candidates {@link mayBeginWriteFor} at one time,
 * whatever pauses, errors and answers that never come. Where the Lease is deleted or edited by hand there is no such
 * guarantee.
 */
export class LeaderElection {
  readonly name = 'leader election';
  readonly #parts: LeaderElectionParts;
  readonly #stopping = new AbortController();
  readonly #ended = new AbortController();
  readonly #elected = Promise.withResolvers<void>();
  #role: ElectionState['role'] = 'candidate';
  /** The Lease as last read or written, and when it was first seen so, on the monotonic clock. */
  #observed: { readonly lease: Lease; readonly record: string; readonly atMs: number } | undefined;
  /** When the last renewal that succeeded was sent, on the monotonic clock. */
  #renewedMs = Number.NEGATIVE_INFINITY;
  #deadline: Timer | undefined;
  #campaign: Promise<void> = Promise.resolve();
  #failed: (error: unknown) => void = () => {};
  #toldHolder: string | undefined;
  #problem: string | undefined;
  /** The problem that the log tells of, in short. */
  #toldProblem: string | undefined;
  readonly #reminder: Reminder;

  constructor(parts: LeaderElectionParts) {
    this.#parts = parts;
    this.#reminder = new Reminder(parts.clock);
  }

  /** The name of the Lease. */
  get leaseName(): string {
    return this.#parts.lock.key.name;
  }

  get state(): ElectionState {
    return { role: this.#role, holder: this.#observed?.lease.spec?.holderIdentity, problem: this.#problem };
  }

  /** Aborted when this candidate leads no more: what it has under way must end. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * For how many milliseconds a write that begins now may go on, as nobody else leads before; 0 where none may begin,
   * because this candidate does not lead or because its renew deadline has passed. At least `leaseDuration` less
   * `renewDeadline` otherwise.
   */
  get mayBeginWriteFor(): number {
    const { clock, timing } = this.#parts;
    const sinceMs = clock.monotonic() - this.#renewedMs;
    return this.#role === 'leader' && sinceMs < timing.renewDeadlineMs ? timing.leaseDurationMs - sinceMs : 0;
  }

  /** Resolves when this candidate leads; rejects when it is stopped before. */
  start(failed: (error: unknown) => void): Promise<void> {
    this.#failed = failed;
    this.#campaign = this.#run().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted && this.#role !== 'lost') failed(error);
    });
    return this.#elected.promise;
  }

  /**
   * Leads no more, and gives the Lease back where that is wanted and `abort` is not aborted: what had to be aborted may still
   * be writing, and then others had better wait for the Lease's end.
   */
  async stop(abort: AbortSignal): Promise<void> {
    const led = this.#role === 'leader';
    if (this.#role !== 'lost') this.#role = 'stopped';
    this.#stopping.abort(new Error('the election stops'));
    this.#ended.abort(new Error('this process no longer leads'));
    this.#deadline?.cancel();
    this.#reminder.end();
    this.#elected.promise.catch(() => undefined);
    this.#elected.reject(this.#stopping.signal.reason);
    await this.#campaign;
    if (led && this.#parts.releaseOnStop && !abort.aborted) await this.#release(abort);
  }

  async #run(): Promise<void> {
    const { clock, random, timing } = this.#parts;
    const stop = this.#stopping.signal;
    while (!(await this.#attempt())) {
      await clock.sleep(timing.retryPeriodMs * (1 + jitterFactor * random.next()), stop);
    }
    this.#elected.resolve();
    while (this.#role === 'leader') {
      await clock.sleep(timing.retryPeriodMs, stop);
      if (this.#role === 'leader') await this.#attempt();
    }
  }

  /** One try to take or renew the Lease. Says whether this candidate leads by it; what goes wrong is logged. */
  async #attempt(): Promise<boolean> {
    const { clock, timing } = this.#parts;
    const timeout = new AbortController();
    // client-go's clients of an election have this timeout; controller-runtime, pkg/leaderelection.
    const timeoutMs = Math.max(1000, timing.renewDeadlineMs / 2);
    const timer = clock.schedule(timeoutMs, () => timeout.abort(new Error(`no response within ${timeoutMs} ms`)));
    try {
      const leads = await this.#acquireOrRenew(AbortSignal.any([timeout.signal, this.#ended.signal]));
      this.#tellProblem(undefined);
      return leads;
    } catch (error) {
      if (this.#ended.signal.aborted) return false;
      // Another candidate was faster: the next try reads who.
      const isOvertaken = this.#role === 'candidate' && (isConflict(error) || isAlreadyExists(error));
      this.#tellProblem(isOvertaken ? undefined : error);
      return false;
    } finally {
      timer.cancel();
    }
  }

  /** One line when a problem begins or becomes another, again after 1, 2, 4 minutes and so on, and one when it is over. */
  #tellProblem(error: unknown): void {
    const { lock, logger, isAwayTold = () => false } = this.#parts;
    const wasTold = this.#toldProblem !== undefined;
    this.#problem = error === undefined ? undefined : this.#explain(error);
    const code = error instanceof StatusError ? error.code : 'unanswered';
    if (error !== undefined && code === 'unanswered' && isAwayTold()) return;
    const what = error === undefined ? undefined : `${this.#role} ${code}`;
    if (what === this.#toldProblem) return;
    this.#toldProblem = what;
    const keys = { lease: String(lock.key) };
    if (what !== undefined) this.#reminder.begin(() => logger.warn(this.#problem ?? '', keys));
    else {
      this.#reminder.end();
      if (wasTold) logger.info('the lease can be used again', keys);
    }
  }

  #explain(error: unknown): string {
    const { key } = this.#parts.lock;
    const what = this.#role === 'leader' ? 'could not renew the lease' : 'could not take the lease';
    const said = (error instanceof Error ? error.message : String(error)).slice(0, longestQuote);
    const mend = this.#mendOf(error);
    return `${what} ${key}: ${said}; ${mend}`;
  }

  #mendOf(error: unknown): string {
    const { key } = this.#parts.lock;
    if (error instanceof StatusError && error.code === 401) {
      return "the API server rejects the operator's credentials; renew the token or certificate of its kubeconfig, or use its service account";
    }
    return isForbidden(error)
      ? `its service account lacks get, create and update on leases of coordination.k8s.io in ${key.namespace}; set "leaderElection: { name: '${key.name}' }" in "rbac" of evenkeel.config.ts, run "evenkeel generate" and apply config/rbac; if the roles are for another namespace, pass it with --leader-election-namespace`
      : 'retrying';
  }

  async #acquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const { lock, identity, clock } = this.#parts;
    if (this.#role === 'leader' && this.#observed !== undefined) {
      const { lease } = this.#observed;
      try {
        return await this.#write((spec) => lock.update(lease, spec, signal), lease);
      } catch (error) {
        if (signal.aborted) throw error;
        // Somebody wrote it, or an answer was lost: what it is now must be read.
        this.#parts.logger.debug('the lease is not as it was last seen', { lease: String(lock.key), error });
      }
    }
    const lease = await lock.read(signal);
    if (lease === undefined) return await this.#write((spec) => lock.create(spec, signal), undefined);
    const observed = this.#observe(lease);
    const { holderIdentity: holder = '', leaseDurationSeconds = 0 } = lease.spec ?? {};
    if (holder !== '' && holder !== identity) {
      if (this.#role === 'leader') {
        this.#lose(`it is held by ${holder}`);
        return false;
      }
      if (clock.monotonic() < observed.atMs + leaseDurationSeconds * 1000) {
        this.#tellHolder(holder);
        return false;
      }
    }
    return await this.#write((spec) => lock.update(lease, spec, signal), lease);
  }

  /** Writes this candidate into the Lease. It leads by that from the moment of sending, as nobody saw it earlier. */
  async #write(send: (spec: LeaseSpec) => Promise<Lease>, before: Lease | undefined): Promise<boolean> {
    const { clock, identity, timing, lock, logger, tell } = this.#parts;
    const sentMs = clock.monotonic();
    const nowText = microTime(clock.now());
    const isOwn = before?.spec?.holderIdentity === identity;
    const lease = await send({
      holderIdentity: identity,
      leaseDurationSeconds: timing.leaseDurationMs / 1000,
      acquireTime: (isOwn ? before?.spec?.acquireTime : undefined) ?? nowText,
      renewTime: nowText,
      leaseTransitions: before === undefined ? 0 : (before.spec?.leaseTransitions ?? 0) + (isOwn ? 0 : 1),
    });
    this.#observe(lease);
    // The answer of a try that had been given up, or one that came after the deadline, makes no leader.
    const leftMs = sentMs + timing.renewDeadlineMs - clock.monotonic();
    if (this.#ended.signal.aborted || leftMs <= 0) return false;
    this.#renewedMs = sentMs;
    this.#deadline?.cancel();
    this.#deadline = clock.schedule(leftMs, () => this.#checkDeadline());
    if (this.#role === 'candidate') {
      this.#role = 'leader';
      logger.info('became leader', { lease: String(lock.key), identity });
      tell(lease, `${identity} became leader`);
    }
    return true;
  }

  /** Validity counts from when a record was first seen, not from the times in it, which are of another machine. */
  #observe(lease: Lease): { readonly atMs: number } {
    const record = JSON.stringify(lease.spec ?? {});
    const atMs = this.#observed?.record === record ? this.#observed.atMs : this.#parts.clock.monotonic();
    this.#observed = { lease, record, atMs };
    return this.#observed;
  }

  #tellHolder(holder: string): void {
    if (holder === this.#toldHolder) return;
    this.#toldHolder = holder;
    this.#parts.logger.info('standing by: another process leads', { lease: String(this.#parts.lock.key), holder });
  }

  #checkDeadline(): void {
    const { clock, timing } = this.#parts;
    const leftMs = this.#renewedMs + timing.renewDeadlineMs - clock.monotonic();
    // A timer may come a little before its time.
    if (leftMs > 0) this.#deadline = clock.schedule(leftMs, () => this.#checkDeadline());
    else this.#lose(`no renewal succeeded within ${timing.renewDeadlineMs} ms`);
  }

  #lose(why: string): void {
    if (this.#role !== 'leader') return;
    this.#role = 'lost';
    this.#deadline?.cancel();
    this.#reminder.end();
    const error = new EvenkeelError(
      'leadership-lost',
      `the lease ${this.#parts.lock.key} is lost: ${why}; this process writes nothing more and must exit; another process leads`,
    );
    this.#ended.abort(error);
    this.#stopping.abort(error);
    this.#failed(error);
  }

  async #release(abort: AbortSignal): Promise<void> {
    const { clock, timing, lock, logger, identity, tell } = this.#parts;
    const timeout = new AbortController();
    const timer = clock.schedule(timing.renewDeadlineMs, () => timeout.abort(new Error('no response in time')));
    const signal = AbortSignal.any([abort, timeout.signal]);
    try {
      for (let attempt = 1; ; attempt++) {
        // Read first: a renewal that was under way may have been committed, or may be between the two requests.
        const lease = await lock.read(signal);
        if (lease?.spec?.holderIdentity !== identity) return;
        const nowText = microTime(clock.now());
        const released = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: nowText, renewTime: nowText };
        try {
          this.#observe(await lock.update(lease, released, signal));
        } catch (error) {
          if (isConflict(error) && attempt < releaseAttempts) continue;
          throw error;
        }
        logger.info('released the lease', { lease: String(lock.key) });
        tell(lease, `${identity} stopped leading`);
        return;
      }
    } catch (error) {
      logger.warn('could not release the lease; the next leader waits for its end', { lease: String(lock.key), error });
    } finally {
      timer.cancel();
    }
  }
}

/** `metav1.MicroTime`: six digits after the point. */
function microTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('Z', '000Z');
}
