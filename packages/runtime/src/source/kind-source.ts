import type { ObjectEvent, Predicate } from '@evenkeel/core';
import {
  type ApiResource,
  apiVersionOf,
  type Clock,
  groupResourceOf,
  type Logger,
  ObjectKey,
  StatusError,
  type Timer,
} from '@evenkeel/core';
import type { CachedObject } from '../cache/cached-object.ts';
import type { Informer, InformerHealth, InformerProblem } from '../cache/informer.ts';
import type { EventHandler } from '../handler/event-handler.ts';
import { Reminder } from '../log/reminder.ts';
import { Trigger } from '../reconcile/trigger.ts';
import type { Gate } from './gate.ts';
import type { Outage } from './outage.ts';
import type { Enqueue, Source, SourceState } from './source.ts';

/** A kind that a controller watches, with the values that messages need. */
export interface WatchedKind {
  readonly informer: Informer;
  /** The declaration for which the controller needs the kind: `@Owns(Deployment)`. */
  readonly declaration: string;
  /** The file of the kind's CRD; undefined for built-in kinds. */
  readonly definitionFile: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface KindSourceOptions extends WatchedKind {
  /** An event must pass all of them. */
  readonly predicates: readonly Predicate[];
  readonly handler: EventHandler;
  /** Shared by all sources of a manager. */
  readonly outage: Outage;
}

/** Twice the silence after which a watch is restarted. After this time, the cache may be arbitrarily old. */
const silentMs = 140_000;
/**
 * After a CRD is created, a server rejects watches for some seconds (429 "storage is (re)initializing", 410 "too old resource
 * version"). A problem that is over before this time needs no action and is not logged.
 */
const passingMs = 10_000;
const interruptionMs = 2000;
/** The maximum length of a quoted response. */
const longestQuote = 500;

/**
 * The source of one kind's events: informer, predicates, handler. An error that a predicate or handler throws is logged and does
 * not affect other events.
 *
 * While the kind cannot be watched, {@link state} has the reason. The source continues automatically when the server responds,
 * serves the kind, or permits it. While the kind is not served, or not permitted in any namespace, the controller's workers
 * wait: the cache gets no deletions, so they would create children of deleted owners.
 *
 * A problem is logged when it starts, when its reason changes and when it ends, and repeated after 1, 2, 4, ... minutes, at most
 * an hour; retries are not logged. A rejection for another reason is logged only after 10 s. That the server is unreachable is
 * logged by the first source that notices it.
 */
export class KindSource implements Source {
  readonly #options: KindSourceOptions;
  readonly #stopping: (() => void)[] = [];
  readonly #reminder: Reminder;
  /** A short form of the last problem. */
  #heeded: string | undefined;
  /** Whether a problem was logged, and its end was not. */
  #isTold = false;
  #lasting: Timer | undefined;
  /** The time since which the watch has not been rejected for another reason; undefined while it is. */
  #notRefusedMs: number | undefined;

  constructor(options: KindSourceOptions) {
    this.#options = options;
    this.#reminder = new Reminder(options.clock);
  }

  get state(): SourceState {
    const { health } = this.#options.informer;
    const problem = health.problem === undefined ? this.#silence(health) : this.#explain(health.problem);
    const { synced, current } = health;
    const reason = health.problem?.reason;
    const isRefused = !current && (synced || reason === 'missing' || reason === 'forbidden');
    const degraded = isRefused || reason === 'unauthorized' || this.#silentForMs(health) > silentMs;
    return { name: this.#name, synced: health.synced, problem, degraded };
  }

  start(enqueue: Enqueue, gate: Gate): void {
    const { informer, outage } = this.#options;
    if (informer.health.synced) outage.ends(this);
    this.#stopping.push(
      informer.addHandler({
        added: (object, initial) => this.#on({ verb: 'added', object, initial }, enqueue),
        updated: (object, previous, isRelisted) =>
          this.#on({ verb: 'updated', object, previous }, enqueue, { isRelisted }),
        deleted: (object) => this.#on({ verb: 'deleted', object }, enqueue),
      }),
      informer.onHealth((health) => this.#heed(health, gate)),
      () => this.#reminder.end(),
      () => this.#lasting?.cancel(),
    );
    // The watch may be older than its source, because a candidate of an election fills its caches before it leads.
    this.#heed(informer.health, gate);
  }

  #heed({ problem, current }: InformerHealth, gate: Gate): void {
    const { clock, logger, outage } = this.#options;
    gate.set(this, current);
    const what = problem && `${problem.reason} ${problem.namespaces?.join(' ')}`;
    if (what === this.#heeded) return;
    this.#heeded = what;
    this.#reminder.end();
    if (problem?.reason !== 'unreachable') outage.ends(this);
    if (problem?.reason !== 'refused') this.#notRefusedMs ??= clock.monotonic();
    if (problem === undefined) {
      if (this.#isTold) logger.info('watching again', { resource: this.#name });
      this.#isTold = false;
    } else if (problem.reason === 'refused') this.#tellWhatLasts();
    else if (problem.reason !== 'unreachable' || outage.begins(this)) this.#tell(problem);
  }

  /** Ignores short interruptions of the problem, because a server may repeatedly accept a watch and then end it. */
  #tellWhatLasts(): void {
    const { clock, informer } = this.#options;
    const wasAway = this.#notRefusedMs !== undefined && clock.monotonic() - this.#notRefusedMs > interruptionMs;
    this.#notRefusedMs = undefined;
    if (wasAway) {
      this.#lasting?.cancel();
      this.#lasting = undefined;
    }
    this.#lasting ??= clock.schedule(
      passingMs,
      () => {
        this.#lasting = undefined;
        const { problem } = informer.health;
        if (problem?.reason === 'refused') this.#tell(problem);
      },
      { unref: true },
    );
  }

  #tell(problem: InformerProblem): void {
    this.#isTold = true;
    this.#reminder.begin(() => this.#warn(this.#options.informer.health.problem ?? problem));
  }

  #warn(problem: InformerProblem): void {
    this.#options.logger.warn(this.#explain(problem), { resource: this.#name, reason: problem.reason });
  }

  waitForSync(signal: AbortSignal): Promise<void> {
    return this.#options.informer.waitForSync(signal);
  }

  stop(): void {
    for (const stop of this.#stopping.splice(0)) stop();
  }

  get #name(): string {
    return groupResourceOf(this.#options.informer.resource);
  }

  #on(event: ObjectEvent<CachedObject>, enqueue: Enqueue, { isRelisted = false } = {}): void {
    const { informer, handler, logger } = this.#options;
    if (!this.#passes(event)) return;
    let keys: readonly ObjectKey[];
    try {
      keys = handler(event);
    } catch (error) {
      logger.error('an event could not be mapped to keys', { event: describe(informer, event), error });
      return;
    }
    if (keys.length === 0) return;
    const { object } = event;
    const trigger = new Trigger(event.verb, informer.resource.kind, ObjectKey.of(object), {
      ...(event.verb === 'updated' ? { before: event.previous, after: object } : {}),
      resourceVersion: object.metadata.resourceVersion,
      mayHideOthers: isRelisted,
    });
    const initial = event.verb === 'added' && event.initial;
    for (const key of keys) enqueue(key, trigger, initial);
  }

  #passes(event: ObjectEvent<CachedObject>): boolean {
    const { informer, predicates, logger } = this.#options;
    const decided = isShownDifferently(event)
      ? { verb: 'added' as const, object: event.object, initial: false }
      : event;
    return predicates.every((predicate) => {
      try {
        return predicate(decided);
      } catch (error) {
        logger.error('a predicate threw; the event passes', { event: describe(informer, event), error });
        return true;
      }
    });
  }

  /** Returns the problem of a watch and the fix. */
  #explain({ reason, error, namespaces }: InformerProblem): string {
    const { informer, declaration, definitionFile } = this.#options;
    const { resource } = informer;
    const where = namespaces === undefined ? '' : ` in ${namespaces.join(', ')}`;
    const what = `cannot watch ${this.#name}/${resource.version}${where} for ${declaration}`;
    const said = quote(error);
    switch (reason) {
      case 'missing':
        return definitionFile === undefined
          ? `${what}: the API server does not serve it; it may be too old, or the API may be disabled; the controller continues when it is served`
          : `${what}: the API server does not serve it; apply its CRD ("kubectl apply -f ${definitionFile}"); the controller then continues`;
      case 'forbidden':
        return `${what}: ${said}; ${missingRule(resource, namespaces)}`;
      case 'unauthorized':
        return `${what}: the API server rejects the operator's credentials (${said}); renew the token or certificate of its kubeconfig, or use its service account`;
      case 'unreachable':
        return `${what}: no response from the API server (${said}); retrying`;
      default:
        return `${what}: ${said || `${apiVersionOf(resource)} was rejected`}; retrying`;
    }
  }

  /** Returns the problem of a watch that seems to be open but receives nothing. */
  #silence(health: InformerHealth): string | undefined {
    const forMs = this.#silentForMs(health);
    if (forMs <= silentMs) return undefined;
    return `has received nothing about ${this.#name} for ${Math.round(forMs / 1000)} s; its watch was restarted ${restartsOf(health)} times`;
  }

  /** Ignores a watch that was opened after a failure, because it may not have received anything yet. */
  #silentForMs({ watches }: InformerHealth): number {
    const nowMs = this.#options.clock.monotonic();
    return watches.reduce(
      (longest, { lastHeardMs, problem, restartsUnheard }) =>
        problem === undefined && restartsUnheard === 0 ? longest : Math.max(longest, nowMs - lastHeardMs),
      0,
    );
  }
}

/**
 * Reports whether an update was caused by the object's definition, for example by a new default. It changes neither version nor
 * generation. Predicates therefore get it as an added object, so that they can still select objects.
 */
function isShownDifferently(event: ObjectEvent<CachedObject>): boolean {
  if (event.verb !== 'updated') return false;
  const { uid, resourceVersion } = event.object.metadata;
  const { metadata: before } = event.previous;
  return resourceVersion !== undefined && before.resourceVersion === resourceVersion && before.uid === uid;
}

function restartsOf({ watches }: InformerHealth): number {
  return watches.reduce((sum, { restarts }) => sum + restarts, 0);
}

/** Returns the missing rule in the notation of a Role, and the command that grants it. */
function missingRule({ group, plural }: ApiResource, namespaces: readonly string[] | undefined): string {
  const rule = `{ apiGroups: [${JSON.stringify(group)}], resources: ["${plural}"], verbs: ["list", "watch"] }`;
  const role = namespaces === undefined ? 'a ClusterRole' : `a Role of ${namespaces.join(', ')}`;
  return `its service account lacks ${rule} in ${role}; "evenkeel generate" writes it, "kubectl apply -f config/rbac" grants it; the controller then continues`;
}

function quote(error: unknown): string {
  const said = error instanceof StatusError ? error.status.message : error instanceof Error ? error.message : '';
  return (said ?? '').slice(0, longestQuote);
}

function describe({ resource }: Informer, event: ObjectEvent<CachedObject>): string {
  return `${resource.kind} ${ObjectKey.of(event.object)} ${event.verb}`;
}
