import type { Client } from '@evenkeel/client';
import {
  type Clock,
  EvenkeelError,
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isNotFound,
  type Logger,
  type ObjectKey,
  type Timer,
} from '@evenkeel/core';
import { authoritySecretType, type CaBundleTargetName, type CertificateTiming } from '@evenkeel/core/certificates';
import { Secret } from '@evenkeel/kinds';
import { CallLimit } from '../../http/call-limit.ts';
import type { ServingCertificate, TlsPair } from '../../http/serving-certificate.ts';
import { Reminder } from '../../log/reminder.ts';
import type { Runnable } from '../../runnable/runnable.ts';
import { type AuthorityRecord, authoritiesIn, bundleOf, createAuthority } from './authority-record.ts';
import { readAuthorities, type StoredAuthorities, secretData } from './authority-secret.ts';
import { CaBundleTarget, type CaBundleTargetState, type WebhookService } from './ca-bundle-target.ts';
import { watchObject } from './object-alarm.ts';
import { planAuthorities, renewalOf } from './plan-authorities.ts';
import { chooseSigner, isDue, issueLeaf, type ServingLeaf } from './serving-leaf.ts';

export interface BuiltInCertificateOptions {
  /** Writes without leadership, because every replica serves. */
  readonly client: Client;
  /** The name of the operator. */
  readonly name: string;
  /** The Secret of the certificate authority, in the namespace of the operator's pods. */
  readonly secret: ObjectKey;
  /** The Service that the API server calls. Its names are those of the certificate. */
  readonly service: WebhookService;
  /** The objects whose `caBundle`s trust the authority. They may be created later. */
  readonly targets: readonly CaBundleTargetName[];
  readonly timing: CertificateTiming;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The longest time of all requests of one comparison. */
const longestPassMs = 30_000;
/** The delay after a comparison that failed. It doubles with each further failure. */
const firstRetryMs = 1000;
const longestRetryMs = 60_000;
/** Other replicas may be faster a few times in a row. */
const mostConflicts = 5;
/** If another program overwrites what this one writes, they take turns at this pace. */
export const passLimit = { perSecond: 1, burst: 20 };

/**
 * The certificate of a webhook server that the operator creates itself. The certificate authority is in a Secret, which all
 * replicas share. Each replica signs a certificate of its own, whose key never leaves its memory.
 *
 * Guarantees, if the clocks of the machines agree: a client that trusts the `caBundle` of one of the configurations accepts the
 * certificate of every replica, at all times, also while the authority or a certificate is replaced. A new authority is in all
 * configurations for the trust delay before it signs; an old one stays in them until it has expired.
 *
 * Replicas need no leader. Each compares the Secret and the configurations when one of them changes, and regularly. Writes have the
 * resourceVersion that was read. The Secret is read after the configurations, and a configuration is written only if it has not
 * changed since: so a replica that is behind never overwrites a newer `caBundle`.
 *
 * Not guaranteed: that calls succeed while somebody else has changed a `caBundle`, before it is restored.
 */
export class BuiltInCertificate implements ServingCertificate, Runnable {
  readonly name = 'webhook certificates';
  readonly #options: BuiltInCertificateOptions;
  readonly #authorityName: string;
  readonly #targets: readonly CaBundleTarget[];
  readonly #limit: CallLimit;
  readonly #reminder: Reminder;
  readonly #stopping = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #first = Promise.withResolvers<void>();
  /** Newest first. */
  #authorities: readonly AuthorityRecord[] = [];
  /** When each authority was first in all configurations, by its id. */
  #trustedSinceMs = new Map<string, number>();
  #leaf: ServingLeaf | undefined;
  #renewal: Timer | undefined;
  #problem: string | undefined;
  #wake: (() => void) | undefined;
  #isChanged = false;
  /** How many comparisons in a row have found that an object was not as it was read. */
  #conflicts = 0;
  /** When this replica first knew an authority that could sign. */
  #readySinceMs: number | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: BuiltInCertificateOptions) {
    this.#options = options;
    this.#authorityName = authorityName(options.name);
    this.#targets = options.targets.map((target) => new CaBundleTarget(target, options.service));
    this.#limit = new CallLimit(options.clock, passLimit);
    this.#reminder = new Reminder(options.clock);
  }

  /** Waits for the first certificate. Rejects when it is stopped before. */
  async current(): Promise<TlsPair> {
    await this.#first.promise;
    if (this.#leaf === undefined) throw new Error('stopped before there was a certificate');
    return this.#leaf.pair;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Why it has no valid certificate; undefined if it has one. */
  get problem(): string | undefined {
    const { clock } = this.#options;
    if (this.#leaf !== undefined && clock.now() < this.#leaf.toMs) return undefined;
    const what = this.#leaf === undefined ? 'there is no certificate yet' : 'the certificate has expired';
    return `${what}: ${this.#problem ?? 'the certificate authority has not been read'}`;
  }

  /** Resolves at once: it goes on until the API server responds. */
  async start(): Promise<void> {
    const { signal } = this.#stopping;
    const { client, clock, secret, logger } = this.#options;
    const changed = (): void => this.#alarm();
    const failed = (error: unknown): void => logger.debug('lost a watch of webhook certificates', { error });
    const watched = [
      { kind: Secret, key: secret },
      ...this.#targets.map(({ kind, name }) => ({ kind, key: { name, namespace: undefined } as ObjectKey })),
    ];
    this.#running = Promise.all([
      this.#run(signal),
      ...watched.map((one) => watchObject({ ...one, client, clock, changed, failed }, signal)),
    ]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the manager stops'));
    this.#reminder.end();
    this.#renewal?.cancel();
    await this.#running;
    this.#first.resolve();
  }

  #alarm(): void {
    this.#isChanged = true;
    this.#wake?.();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let retryMs = firstRetryMs;
    while (!signal.aborted) {
      this.#isChanged = false;
      const isDone = await this.#attempt(signal);
      if (!signal.aborted) this.#serveInTime();
      const waitMs = isDone ? this.#nextMs() : retryMs;
      retryMs = isDone ? firstRetryMs : Math.min(retryMs * 2, longestRetryMs);
      if (!this.#isChanged) await this.#sleep(waitMs, signal);
      while (!signal.aborted && !this.#limit.take()) await clock.sleep(1000, signal).catch(() => undefined);
    }
  }

  async #sleep(waitMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await this.#options.clock.sleep(waitMs, AbortSignal.any([signal, woken.signal])).catch(() => undefined);
    this.#wake = undefined;
  }

  /** Returns false if it must be repeated. */
  async #attempt(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options;
    const timeout = new AbortController();
    const timer = clock.schedule(
      longestPassMs,
      () => timeout.abort(new Error(`the API server did not respond within ${longestPassMs} ms`)),
      { unref: true },
    );
    try {
      await this.#compare(AbortSignal.any([signal, timeout.signal]));
      if (this.#problem !== undefined) this.#options.logger.info('webhook certificates can be compared again');
      this.#problem = undefined;
      this.#conflicts = 0;
      this.#reminder.end();
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const isConflicting = isConflict(error) || isAlreadyExists(error) || isNotFound(error);
      this.#conflicts = isConflicting ? this.#conflicts + 1 : 0;
      if (isConflicting && this.#conflicts <= mostConflicts) this.#isChanged = true;
      else this.#report(error);
      return false;
    } finally {
      timer.cancel();
    }
  }

  #report(error: unknown): void {
    const { logger, name } = this.#options;
    const advice = isForbidden(error)
      ? `; set "webhookServer: { certificates: 'built-in' }" in defineOperator(), run "evenkeel generate" and apply config/rbac`
      : '';
    const problem = `${error instanceof Error ? error.message : String(error)}${advice}`;
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#reminder.begin(() =>
      logger.warn(`could not compare the webhook certificates${advice}`, { operator: name, error }),
    );
  }

  /** Compares the Secret and the configurations with what they should have, and writes the differences. */
  async #compare(signal: AbortSignal): Promise<void> {
    const { client, secret: key } = this.#options;
    const states = await Promise.all(
      this.#targets.map(async (target) => ({ target, state: await target.read(client, signal) })),
    );
    // After the configurations: then it is at least as new as the one that their caBundles came from.
    const secret = await ignoreNotFound(client.get(Secret, key, { signal }));
    const authorities = await this.#settleSecret(secret, states, signal);
    this.#remember(authorities);
    const caBundle = bundleOf(authorities);
    const written = await Promise.allSettled(
      states.map(async ({ target, state }) => {
        if (state === undefined || state.webhooks.every((webhook) => webhook.caBundle === caBundle)) return state;
        await this.#write(target, state, caBundle, signal);
        return { ...state, webhooks: state.webhooks.map((webhook) => ({ ...webhook, caBundle })) };
      }),
    );
    this.#noteTrust(written.map((result, at) => (result.status === 'fulfilled' ? result.value : states[at]?.state)));
    for (const result of written) if (result.status === 'rejected') throw result.reason;
  }

  /** Returns the authorities of the Secret, after a write if they were not as they should be. */
  async #settleSecret(
    secret: Secret | undefined,
    states: readonly { readonly state: CaBundleTargetState | undefined }[],
    signal: AbortSignal,
  ): Promise<readonly AuthorityRecord[]> {
    const { client, clock, logger, timing, secret: key } = this.#options;
    if (secret !== undefined && secret.type !== authoritySecretType) {
      throw new EvenkeelError(
        'certificate-unusable',
        `the Secret ${key} has the type ${JSON.stringify(secret.type ?? '')} instead of "${authoritySecretType}", so it is not that of a webhook certificate authority and is not replaced; delete or rename it`,
      );
    }
    const stored = secret === undefined ? undefined : readAuthorities(secret.data, this.#authorityName);
    const bundles = new Set(states.flatMap(({ state }) => state?.webhooks.map(({ caBundle }) => caBundle) ?? []));
    const nowMs = clock.now();
    const planned = planAuthorities({
      stored,
      remembered: this.#authorities,
      trusted: [...bundles].flatMap((bundle) => authoritiesIn(bundle, this.#authorityName)),
      signing: this.#leaf?.authority,
      isSigningTrusted: this.#leaf !== undefined && this.#isTrusted(this.#leaf.authority),
      nowMs,
      timing,
      create: () => createAuthority(this.#authorityName, nowMs, timing.authorityMs),
    });
    if (stored !== undefined && stored.damage === undefined && isSame(stored.records, planned)) return planned;
    const data = secretData(planned);
    if (secret === undefined) {
      const { name, namespace } = key;
      const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
      await client.create(Secret, { metadata, type: authoritySecretType, data }, { signal });
    } else await client.update(Secret, { ...secret, data: { ...secret.data, ...data } }, { signal });
    if (stored?.damage !== undefined) {
      logger.warn('replaced the damaged content of the Secret of the webhook certificate authority', {
        secret: String(key),
        damage: stored.damage,
      });
    }
    this.#logChanges(stored, planned);
    return planned;
  }

  #logChanges(stored: StoredAuthorities | undefined, planned: readonly AuthorityRecord[]): void {
    const { logger, secret } = this.#options;
    const before = new Set([...(stored?.records ?? []), ...this.#authorities].map(({ id }) => id));
    const after = new Set(planned.map(({ id }) => id));
    for (const record of planned) {
      if (!before.has(record.id)) logger.info('added a webhook certificate authority', this.#keysOf(record));
    }
    for (const record of stored?.records ?? []) {
      if (!after.has(record.id)) logger.info('removed an expired webhook certificate authority', this.#keysOf(record));
      else if (
        record.privateKeyPem !== undefined &&
        planned.some(({ id, privateKeyPem }) => id === record.id && privateKeyPem === undefined)
      ) {
        logger.info('removed the key of a replaced webhook certificate authority', this.#keysOf(record));
      }
    }
    logger.debug('wrote the Secret of the webhook certificate authority', { secret: String(secret) });
  }

  #keysOf({ id, toMs }: AuthorityRecord) {
    return {
      secret: String(this.#options.secret),
      authority: id.slice(0, 16),
      expires: new Date(toMs).toISOString(),
    };
  }

  /** Keeps the key of the authority that signed the current certificate until another one signs. */
  #remember(authorities: readonly AuthorityRecord[]): void {
    const own = this.#leaf?.authority;
    this.#authorities = authorities.map((record) => (record.id === own?.id ? own : record));
  }

  async #write(
    target: CaBundleTarget,
    state: CaBundleTargetState,
    caBundle: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, logger, name } = this.#options;
    await target.write(client, state, caBundle, { fieldManager: `${name}-certificates`, signal });
    logger.info('wrote the caBundle', { target: String(target) });
  }

  #noteTrust(states: readonly (CaBundleTargetState | undefined)[]): void {
    const nowMs = this.#options.clock.monotonic();
    const bundles = new Set(states.flatMap((state) => state?.webhooks.map(({ caBundle }) => caBundle) ?? []));
    const inBundles = [...bundles].map(
      (bundle) => new Set(authoritiesIn(bundle, this.#authorityName).map(({ id }) => id)),
    );
    this.#trustedSinceMs = new Map(
      this.#authorities
        .filter(({ id }) => inBundles.every((ids) => ids.has(id)))
        .map(({ id }) => [id, this.#trustedSinceMs.get(id) ?? nowMs]),
    );
  }

  #isTrusted({ id }: AuthorityRecord): boolean {
    const sinceMs = this.#trustedSinceMs.get(id);
    return sinceMs !== undefined && this.#options.clock.monotonic() >= sinceMs + this.#options.timing.trustDelayMs;
  }

  /**
   * Issues certificates when it is time: now, and when this one must be renewed or another authority may sign. The authorities in
   * memory suffice for that, however long the API server takes to respond.
   */
  #serveInTime(): void {
    // The next comparison removes the key of the previous authority.
    if (this.#serve()) this.#alarm();
    const { clock, timing } = this.#options;
    const dueMs = [
      ...(this.#leaf === undefined ? [] : [this.#leaf.renewMs - clock.now()]),
      ...[...this.#trustedSinceMs.values()].map((sinceMs) => sinceMs + timing.trustDelayMs - clock.monotonic()),
    ].filter((ms) => ms > 0);
    this.#renewal?.cancel();
    if (dueMs.length === 0) return;
    this.#renewal = clock.schedule(Math.min(...dueMs), () => this.#serveInTime(), { unref: true });
  }

  /** Issues another certificate if it is time. Returns whether it did. */
  #serve(): boolean {
    const { clock, logger, name, service, timing } = this.#options;
    const nowMs = clock.now();
    const signer = chooseSigner(
      this.#authorities,
      this.#leaf?.authority,
      (authority) => this.#isTrusted(authority),
      nowMs,
    );
    if (signer === undefined || (this.#leaf !== undefined && !isDue(this.#leaf, signer, nowMs))) return false;
    if (this.#leaf === undefined && !this.#mayBegin(signer)) return false;
    const host = `${service.name}.${service.namespace}.svc`;
    this.#leaf = issueLeaf(signer, {
      ...{ commonName: `${name}-webhook`, authorityName: this.#authorityName },
      ...{ hosts: [host, `${host}.cluster.local`], nowMs, timing },
    });
    logger.info('issued a webhook certificate', {
      authority: signer.id.slice(0, 16),
      expires: new Date(this.#leaf.toMs).toISOString(),
    });
    this.#first.resolve();
    for (const listener of this.#listeners) listener();
    return true;
  }

  /**
   * A replica begins to serve when all configurations trust its authority, because other replicas may serve until then. It does not
   * wait longer than the trust delay for a configuration that it cannot write, because the others can use it.
   */
  #mayBegin({ id }: AuthorityRecord): boolean {
    const nowMs = this.#options.clock.monotonic();
    this.#readySinceMs ??= nowMs;
    return this.#trustedSinceMs.has(id) || nowMs >= this.#readySinceMs + this.#options.timing.trustDelayMs;
  }

  /** The time until the next change that no other client causes. */
  #nextMs(): number {
    const { clock, timing } = this.#options;
    const nowMs = clock.now();
    const times = this.#authorities.flatMap((record) => [
      renewalOf(record) - nowMs,
      record.toMs + timing.trustDelayMs - nowMs,
    ]);
    return Math.min(timing.checkMs, ...times.filter((ms) => ms > 0));
  }
}

/** The name of an operator's certificate authority. */
export function authorityName(operator: string): string {
  return `${operator}-webhook-ca`;
}

function isSame(left: readonly AuthorityRecord[], right: readonly AuthorityRecord[]): boolean {
  return (
    left.length === right.length &&
    left.every((record, at) => record.id === right[at]?.id && record.privateKeyPem === right[at]?.privateKeyPem)
  );
}
