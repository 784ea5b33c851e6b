import type { RequestObserver } from '@evenkeel/client';
import type { Clock } from '@evenkeel/core';
import type { CacheUsage } from '../cache/cache.ts';
import type { InformerProblem } from '../cache/informer.ts';
import type { ControllerState } from '../controller/running-controller.ts';
import type { ElectionState } from '../election/leader-election.ts';
import type { EventLoopState } from '../process/event-loop-watch.ts';

/** The health of a manager, as its probes report it. */
export interface ManagerHealth {
  /**
   * True if the sources of all controllers have synced and are not degraded (see {@link SourceState.degraded}), no run has
   * exceeded its timeout, and webhooks can be called. Also true while this process stands by, so that a Deployment can roll. False if it has lost the Lease,
   * or cannot acquire it.
   */
  readonly ready: boolean;
  /**
   * False only if a restart of the process helps:
   * - the Lease was lost, or
   * - a watch has received nothing for 10 minutes, although it was restarted at least three times and the API server responds
   *   to other requests. (20 minutes if the watch was not restarted, which would be a bug of this library.)
   *
   * A restart does not fix an unreachable server, a missing CRD or permission, or a run that hangs, so they do not make it false.
   */
  readonly live: boolean;
  /** The reasons why it is not ready or not live: one sentence for each, most of them with the fix. */
  readonly problems: readonly string[];
  readonly controllers: readonly ControllerState[];
  /** Why the webhooks cannot be called yet: no certificate, or a lister that has not synced. Absent without webhooks. */
  readonly webhooks?: { readonly problems: readonly string[] };
  /** All watches: for each kind, form (whole or metadata) and selector, one for each namespace. */
  readonly watches: readonly WatchHealth[];
  /** The number of own writes that no cache had seen after 5 s. */
  readonly lateWrites: number;
  /** The number of cached objects of each kind, and their approximate memory. */
  readonly cached: readonly Omit<CacheUsage, 'watches'>[];
  /** Absent without leader election. */
  readonly leadership?: ElectionState;
  /** Absent if the user passed a clock, because the event loop uses that of the machine. */
  readonly eventLoop?: EventLoopState;
}

/** The state of one watch. A healthy watch receives a bookmark about once a minute. After 70 s without data it is restarted. */
export interface WatchHealth {
  /** `deployments.apps`. */
  readonly resource: string;
  readonly metadataOnly: boolean;
  /** Undefined for a watch of all namespaces, and for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  /** True after the first complete list. */
  readonly synced: boolean;
  /** The reason why the watch is not open; undefined while it is open or being opened. */
  readonly problem: InformerProblem['reason'] | undefined;
  /** The time since the server last sent anything, including an error. */
  readonly heardAgeMs: number;
  /** The time since the last event, bookmark or list; undefined before the first. */
  readonly progressAgeMs: number | undefined;
  /** The time since the last bookmark; undefined before the first. */
  readonly bookmarkAgeMs: number | undefined;
  /** How often it was restarted because it received nothing for 70 s. */
  readonly restarts: number;
}

/** A watch that received nothing for this time despite this many restarts cannot recover in this process. */
const deadAfterMs = 600_000;
const deadAfterRestarts = 3;
const deadWithoutRestartMs = 1_200_000;
/** A response to another request within this time shows that the server responds. */
const recentAnswerMs = 120_000;

/** Knows when the API server last responded to a request of the clients that it observes. */
export class ServerAnswers {
  readonly #clock: Clock;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly observer: RequestObserver = ({ status }) => {
    if (status !== undefined) this.#lastMs = this.#clock.monotonic();
  };

  get ageMs(): number {
    return this.#clock.monotonic() - this.#lastMs;
  }
}

export interface HealthFacts {
  readonly controllers: readonly ControllerState[];
  /** Undefined without webhooks. */
  readonly webhooks?: readonly string[] | undefined;
  readonly usage: readonly CacheUsage[];
  readonly lateWrites: number;
  readonly answers: ServerAnswers;
  readonly leadership: ElectionState | undefined;
  readonly eventLoop: EventLoopState | undefined;
  readonly clock: Clock;
}

/** Computes the health of a manager from the state of its parts. */
export function managerHealth(facts: HealthFacts): ManagerHealth {
  const { controllers, webhooks, usage, leadership, eventLoop, lateWrites } = facts;
  const stuck = controllers.some(({ running }) => running.some((run) => run.stuck));
  const synced = controllers.every((controller) =>
    leadership?.role === 'candidate' ? controller.sources.every((source) => source.synced) : controller.synced,
  );
  const degraded = controllers.some(({ sources }) => sources.some((source) => source.degraded));
  const canLead =
    leadership === undefined ||
    leadership.role === 'leader' ||
    (leadership.role === 'candidate' && leadership.problem === undefined);
  const dead = deadWatches(facts);
  return {
    ready: !stuck && synced && !degraded && canLead && (webhooks ?? []).length === 0,
    live: leadership?.role !== 'lost' && dead.length === 0,
    problems: [...controllers.flatMap(problemsOf), ...(webhooks ?? []), ...dead, ...leadershipProblems(leadership)],
    controllers,
    watches: watchesOf(facts),
    lateWrites,
    cached: usage.map(({ watches: _watches, ...cached }) => cached),
    ...(webhooks === undefined ? {} : { webhooks: { problems: webhooks } }),
    ...(leadership === undefined ? {} : { leadership }),
    ...(eventLoop === undefined ? {} : { eventLoop }),
  };
}

function problemsOf({ name, sources, running }: ControllerState): string[] {
  return [
    ...sources.flatMap(({ problem }) => (problem === undefined ? [] : [`controller ${name} ${problem}`])),
    ...running
      .filter(({ stuck }) => stuck)
      .map(({ key, forMs }) => `controller ${name} has been reconciling ${key} for ${Math.round(forMs / 1000)} s`),
  ];
}

function leadershipProblems(leadership: ElectionState | undefined): string[] {
  return [
    ...(leadership?.problem === undefined ? [] : [leadership.problem]),
    ...(leadership?.role === 'lost' ? ['this process has lost the leadership, no longer writes and must exit'] : []),
  ];
}

function watchesOf({ usage, clock }: HealthFacts): WatchHealth[] {
  const nowMs = clock.monotonic();
  const age = (sinceMs: number | undefined): number | undefined =>
    sinceMs === undefined ? undefined : nowMs - sinceMs;
  return usage.flatMap(({ resource, metadataOnly, watches }) =>
    watches.map((state) => ({
      resource,
      metadataOnly,
      namespace: state.namespace,
      synced: state.synced,
      problem: state.problem?.reason,
      heardAgeMs: nowMs - state.lastHeardMs,
      progressAgeMs: age(state.lastProgressMs),
      bookmarkAgeMs: age(state.lastBookmarkMs),
      restarts: state.restarts,
    })),
  );
}

/** Descriptions of the watches that this process cannot restore although the server responds to other requests. */
function deadWatches({ usage, answers, clock }: HealthFacts): string[] {
  if (answers.ageMs > recentAnswerMs) return [];
  const nowMs = clock.monotonic();
  return usage.flatMap(({ resource, watches }) =>
    watches.flatMap(({ namespace, lastHeardMs, restartsUnheard }) => {
      const silentMs = nowMs - lastHeardMs;
      const limitMs = restartsUnheard >= deadAfterRestarts ? deadAfterMs : deadWithoutRestartMs;
      if (silentMs <= limitMs) return [];
      const where = namespace === undefined ? '' : ` in ${namespace}`;
      const what = `the watch of ${resource}${where} has received nothing for ${Math.round(silentMs / 1000)} s`;
      return `${what}, although it was restarted ${restartsUnheard} times and the API server responds to other requests; restart this process`;
    }),
  );
}
