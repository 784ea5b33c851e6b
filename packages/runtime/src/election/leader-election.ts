import {
  type Clock,
  EvenkeelError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  type KubernetesObject,
  type Logger,
  messageOf,
  type Random,
  StatusError,
  type Timer,
} from '@evenkeel/core';
import type { Lease, LeaseSpec } from '@evenkeel/kinds/coordination/v1';
import { Reminder } from '../log/reminder.ts';
import { type ElectionTiming, jitterFactor } from './election-timing.ts';
import type { LeaseLock } from './lease-lock.ts';
import { LeaseRequests, requestAnnotations, requesterOf, withoutRequest, withRequest } from './lease-request.ts';

/** The maximum length of a quoted response. */
const longestQuote = 500;

/** The first attempt, another one after a concurrent renewal, and one more. */
const releaseAttempts = 3;

export interface LeaderElectionParts {
  readonly lock: LeaseLock;
  /** The identity of this candidate, which is unique for each process. */
  readonly identity: string;
  readonly timing: ElectionTiming;
  readonly releaseOnStop: boolean;
  /** Whether this candidate asks the leader for the Lease. Default: false. */
  readonly stepIn?: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Returns whether other code reports that the server does not respond. Default: no other code does. */
  readonly isAwayTold?: () => boolean;
  /** Called with the Lease when this candidate becomes the leader, and when it has released the Lease. */
  readonly tell: (lease: KubernetesObject, note: string) => void;
}

/** The role of this process in an election, and its view of the Lease. */
export interface ElectionState {
  readonly role: 'candidate' | 'leader' | 'lost' | 'stopped';
  /** The last known holder of the Lease; empty if there is none. */
  readonly holder: string | undefined;
  /** Why the last attempt failed, and the fix; undefined if it got a usable response. */
  readonly problem: string | undefined;
}

/**
 * A candidate of an election on a Lease, by client-go's rules (tools/leaderelection). The leader renews the Lease every
 * `retryPeriod`. Other candidates take it if they have seen it unchanged for the duration in the Lease. The times in the Lease
 * are only informative. Each candidate decides by its own monotonic clock, so wall clocks may differ, but all clocks must run at
 * about the same rate.
 *
 * A leader that has not renewed the Lease for `renewDeadline` has lost it. The time counts from the *sending* of its last
 * successful renewal. A leader that finds another holder in the Lease has lost it too. It then reports a failure, and is not a
 * candidate any more.
 *
 * A candidate with `stepIn` asks for the Lease by annotations, and repeats that as long as it runs. The leader then reports the
 * failure `leadership-requested`, and keeps the Lease until its work has stopped. Other candidates do not take the Lease while a
 * request is fresh. A request that is not repeated for the duration of a Lease has no effect.
 *
 * Promised: if the monotonic clocks of the machines run at the same rate, {@link mayBeginWriteFor} is never positive for two
 * candidates at the same time, even with pauses, errors and lost responses. Not promised if the Lease is deleted or edited by
 * hand.
 */
export class LeaderElection {
  readonly name = 'leader election';
  readonly #parts: LeaderElectionParts;
  readonly #stopping = new AbortController();
  readonly #ended = new AbortController();
  readonly #elected = Promise.withResolvers<void>();
  #role: ElectionState['role'] = 'candidate';
  /** The last read or written Lease, and the time of its first observation on the monotonic clock. */
  #observed: { readonly lease: Lease; readonly record: string; readonly atMs: number } | undefined;
  /** The time at which the last successful renewal was sent, on the monotonic clock. */
  #renewedMs = Number.NEGATIVE_INFINITY;
  #deadline: Timer | undefined;
  #campaign: Promise<void> = Promise.resolve();
  #failed: (error: unknown, inOrder?: boolean) => void = () => {};
  readonly #requests: LeaseRequests;
  /** The process for which this leader steps aside. */
  #stepsAsideFor: string | undefined;
  /** The holder that this candidate has asked, and when, until the holder is reported as unresponsive. */
  #asked: { readonly holder: string; readonly atMs: number; readonly isReported: boolean } | undefined;
  #toldHolder: string | undefined;
  #toldRequester: string | undefined;
  #problem: string | undefined;
  /** A short form of the logged problem. */
  #toldProblem: string | undefined;
  readonly #reminder: Reminder;

  constructor(parts: LeaderElectionParts) {
    this.#parts = parts;
    this.#reminder = new Reminder(parts.clock);
    this.#requests = new LeaseRequests(parts.clock, parts.timing.leaseDurationMs);
  }

  /** The name of the Lease. */
  get leaseName(): string {
    return this.#parts.lock.key.name;
  }

  get state(): ElectionState {
    return { role: this.#role, holder: this.#observed?.lease.spec?.holderIdentity, problem: this.#problem };
  }

  /** Aborted when this candidate no longer leads. All its active work must end. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * The time in milliseconds that a write may take if it starts now, because no other candidate can lead before. 0 if no write
   * may start: this candidate does not lead, or its renew deadline has passed. Otherwise it is at least `leaseDuration` minus
   * `renewDeadline`.
   */
  get mayBeginWriteFor(): number {
    const { clock, timing } = this.#parts;
    const sinceMs = clock.monotonic() - this.#renewedMs;
    return this.#role === 'leader' && sinceMs < timing.renewDeadlineMs ? timing.leaseDurationMs - sinceMs : 0;
  }

  /**
   * Resolves when this candidate leads. Rejects if it is stopped before.
   *
   * @param failed called when it can lead no more. With `inOrder`, it leads until it is stopped.
   */
  start(failed: (error: unknown, inOrder?: boolean) => void): Promise<void> {
    this.#failed = failed;
    this.#campaign = this.#run().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted && this.#role !== 'lost') failed(error);
    });
    return this.#elected.promise;
  }

  /**
   * Stops leading. Releases the Lease, unless the options forbid it or `abort` is aborted: aborted work may still write, so other
   * candidates must wait until the Lease expires.
   */
  async stop(abort: AbortSignal): Promise<void> {
    const led = this.#role === 'leader';
    const asks = this.#parts.stepIn === true && this.#role === 'candidate';
    if (this.#role !== 'lost') this.#role = 'stopped';
    this.#stopping.abort(new Error('the election stops'));
    this.#ended.abort(new Error('this process no longer leads'));
    this.#deadline?.cancel();
    this.#reminder.end();
    this.#elected.promise.catch(() => undefined);
    this.#elected.reject(this.#stopping.signal.reason);
    await this.#campaign;
    if (abort.aborted) return;
    if (led && this.#parts.releaseOnStop) await this.#release(abort);
    else if (asks) await this.#withdraw(abort);
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

  /** Tries once to take or renew the Lease. Returns whether this candidate leads. Errors are logged. */
  async #attempt(): Promise<boolean> {
    const { clock, timing } = this.#parts;
    const timeout = new AbortController();
    // The timeout of client-go's clients for elections; controller-runtime, pkg/leaderelection.
    const timeoutMs = Math.max(1000, timing.renewDeadlineMs / 2);
    const timer = clock.schedule(timeoutMs, () => timeout.abort(new Error(`no response within ${timeoutMs} ms`)));
    try {
      const leads = await this.#acquireOrRenew(AbortSignal.any([timeout.signal, this.#ended.signal]));
      this.#tellProblem(undefined);
      return leads;
    } catch (error) {
      if (this.#ended.signal.aborted) return false;
      if (this.#parts.stepIn === true && this.#role === 'candidate' && isForbidden(error)) {
        this.#refuse(error);
        return false;
      }
      // Another candidate was faster. The next attempt reads which one.
      const isOvertaken = this.#role === 'candidate' && (isConflict(error) || isAlreadyExists(error));
      this.#tellProblem(isOvertaken ? undefined : error);
      return false;
    } finally {
      timer.cancel();
    }
  }

  /** Logs a problem when it starts or changes, repeats it after 1, 2, 4, ... minutes, and logs its end. */
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
    const said = messageOf(error).slice(0, longestQuote);
    const fix = this.#fixOf(error);
    return `${what} ${key}: ${said}; ${fix}`;
  }

  #fixOf(error: unknown): string {
    const { key } = this.#parts.lock;
    if (error instanceof StatusError && error.code === 401) {
      return "the API server rejects the operator's credentials; renew the token or certificate of its kubeconfig, or use its service account";
    }
    return isForbidden(error)
      ? `its service account lacks get, create and update on leases of coordination.k8s.io in ${key.namespace}; set "leaderElection: { name: '${key.name}' }" in defineOperator(), run "evenkeel generate" and apply config/rbac; if the roles are for another namespace, pass it with --leader-election-namespace`
      : 'retrying';
  }

  async #acquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const { lock, identity, clock, stepIn = false } = this.#parts;
    if (this.#role === 'leader' && this.#observed !== undefined) {
      const { lease } = this.#observed;
      try {
        return await this.#write((spec) => lock.update(this.#marked(lease), spec, signal), lease);
      } catch (error) {
        if (signal.aborted) throw error;
        // Another writer changed it, or a response was lost, so it must be read again.
        this.#parts.logger.debug('the lease is not as it was last seen', { lease: String(lock.key), error });
      }
    }
    const lease = await lock.read(signal);
    if (lease === undefined) {
      const annotations = stepIn ? requestAnnotations(identity, microTime(clock.now())) : undefined;
      return await this.#write((spec) => lock.create(spec, signal, annotations), undefined);
    }
    const observed = this.#observe(lease);
    const requester = this.#requests.freshRequester(lease, identity);
    const { holderIdentity: holder = '', leaseDurationSeconds = 0 } = lease.spec ?? {};
    if (holder !== '' && holder !== identity) {
      if (this.#role === 'leader') {
        this.#lose(`it is held by ${holder}`);
        return false;
      }
      if (clock.monotonic() < observed.atMs + leaseDurationSeconds * 1000) {
        this.#tellHolder(holder);
        if (stepIn) await this.#ask(lease, holder, requester, signal);
        return false;
      }
    }
    if (requester !== undefined) {
      if (this.#role === 'leader') this.#stepAside(requester);
      else {
        this.#tellRequester(requester);
        return false;
      }
    }
    return await this.#write((spec) => lock.update(this.#marked(lease), spec, signal), lease);
  }

  /** The Lease with the annotations that this candidate writes. A new leader removes a request that is not repeated. */
  #marked(lease: Lease): Lease {
    const { stepIn = false, identity, clock } = this.#parts;
    // A leader that steps aside keeps the request, so that no other candidate takes the Lease.
    if (stepIn && this.#stepsAsideFor === undefined) return withRequest(lease, identity, microTime(clock.now()));
    return this.#role === 'leader' ? lease : withoutRequest(lease);
  }

  /** Asks the holder for the Lease, unless another process has asked first. */
  async #ask(lease: Lease, holder: string, requester: string | undefined, signal: AbortSignal): Promise<void> {
    const { clock, lock, identity, logger, timing } = this.#parts;
    if (requester !== undefined) {
      this.#tellRequester(requester);
      return;
    }
    const asked = withRequest(lease, identity, microTime(clock.now()));
    // The next repetition of the request reads the Lease again.
    await lock.update(asked, {}, signal);
    const keys = { lease: String(lock.key), holder };
    const nowMs = clock.monotonic();
    if (this.#asked?.holder !== holder) {
      this.#asked = { holder, atMs: nowMs, isReported: false };
      logger.info('requested the lease; the leader finishes its runs and releases it', keys);
    } else if (!this.#asked.isReported && nowMs - this.#asked.atMs >= unresponsiveFactor * timing.leaseDurationMs) {
      this.#asked = { ...this.#asked, isReported: true };
      logger.warn(
        'the leader has not released the lease: its runs take long, or its version ignores requests; to stop it, scale its Deployment to 0 replicas',
        keys,
      );
    }
  }

  /** Reports the request as a failure, once. This leader renews the Lease until it is stopped. */
  #stepAside(requester: string): void {
    if (this.#stepsAsideFor !== undefined) return;
    this.#stepsAsideFor = requester;
    const { key } = this.#parts.lock;
    this.#failed(
      new EvenkeelError(
        'leadership-requested',
        `the lease ${key} is requested by ${requester}: this process finishes its runs, releases the lease and exits; a new process stands by until ${requester} gives the lease back`,
      ),
      true,
    );
  }

  #tellRequester(requester: string): void {
    if (requester === this.#toldRequester) return;
    this.#toldRequester = requester;
    const keys = { lease: String(this.#parts.lock.key), requester };
    this.#parts.logger.info('standing by: another process has requested the lease', keys);
  }

  #refuse(error: unknown): void {
    const { key } = this.#parts.lock;
    this.#role = 'lost';
    const failure = new EvenkeelError(
      'lease-forbidden',
      `cannot request the lease ${key}: ${messageOf(error).slice(0, longestQuote)}; grant get, create and update on leases of coordination.k8s.io in ${key.namespace}, or use another kubeconfig`,
      { cause: error },
    );
    this.#ended.abort(failure);
    this.#stopping.abort(failure);
    this.#elected.promise.catch(() => undefined);
    this.#elected.reject(failure);
    this.#failed(failure);
  }

  /** Writes this candidate into the Lease. Its leadership counts from the time of sending, because no one can see it earlier. */
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
    // The response of an aborted attempt, or one after the deadline, has no effect.
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

  /** The validity counts from the first observation of a record, because the times in it are of another machine. */
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
    // A timer may fire slightly early.
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

  /** Removes the request of a candidate that has not led. It expires if that fails. */
  async #withdraw(abort: AbortSignal): Promise<void> {
    const { clock, timing, lock, logger, identity } = this.#parts;
    const timeout = new AbortController();
    const timer = clock.schedule(timing.renewDeadlineMs, () => timeout.abort(new Error('no response in time')));
    const signal = AbortSignal.any([abort, timeout.signal]);
    try {
      for (let attempt = 1; ; attempt++) {
        const lease = await lock.read(signal);
        if (lease === undefined || requesterOf(lease) !== identity) return;
        try {
          await lock.update(withoutRequest(lease), {}, signal);
          return;
        } catch (error) {
          if (!isConflict(error) || attempt >= releaseAttempts) throw error;
        }
      }
    } catch (error) {
      const keys = { lease: String(lock.key), error };
      logger.warn('could not withdraw the request of the lease; it expires by itself', keys);
    } finally {
      timer.cancel();
    }
  }

  async #release(abort: AbortSignal): Promise<void> {
    const { clock, timing, lock, logger, identity, tell } = this.#parts;
    const timeout = new AbortController();
    const timer = clock.schedule(timing.renewDeadlineMs, () => timeout.abort(new Error('no response in time')));
    const signal = AbortSignal.any([abort, timeout.signal]);
    try {
      for (let attempt = 1; ; attempt++) {
        // Reads first, because a concurrent renewal may have been committed, or may arrive between the two requests.
        const lease = await lock.read(signal);
        if (lease?.spec?.holderIdentity !== identity) return;
        const nowText = microTime(clock.now());
        const released = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: nowText, renewTime: nowText };
        try {
          const isOwn = requesterOf(lease) === identity;
          this.#observe(await lock.update(isOwn ? withoutRequest(lease) : lease, released, signal));
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

/** A leader that still renews the Lease so many durations after a request is reported. */
const unresponsiveFactor = 3;

/** `metav1.MicroTime`: six digits after the point. */
function microTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('Z', '000Z');
}
