import type { RequestObserver } from '@evenkeel/client';
import type { Clock } from '@evenkeel/core';
import type { CacheUsage } from '../cache/cache.ts';
import type { InformerProblem } from '../cache/informer.ts';
import type { ControllerState } from '../controller/running-controller.ts';
import type { ElectionState } from '../election/leader-election.ts';
import type { EventLoopState } from '../process/event-loop-watch.ts';

export interface ManagerHealth {
  /**
   * Every controller's sources have synced and can be relied on (see {@link SourceState.degraded}), and no run is beyond its
   * timeout. Also where this process stands by, so that a Deployment can roll; not where it has lost the Lease, or cannot
   * become its holder.
   */
  readonly ready: boolean;
  /**
   * False where only another process can help: the Lease was lost, or a watch has heard nothing for 10 minutes, though it
   * was begun anew at least three times and the API server answers other requests (20 minutes where it was not begun
   * anew, which a mistake of this library would be). What restarts do not mend never makes it false: a server that is
   * away, a kind that is not served or not granted, a reconcile that hangs.
   */
  readonly live: boolean;
  /** Why it is not ready or not live, a sentence each, with what to do. */
  readonly problems: readonly string[];
  readonly controllers: readonly ControllerState[];
  /** Every watch there is: of each kind, form and selector, one for each namespace. */
  readonly watches: readonly WatchHealth[];
  /** Own writes that no cache had seen after 5 s. */
  readonly lateWrites: number;
  /** What the caches hold: for each kind, how many objects, and about how much memory they take. */
  readonly cached: readonly Omit<CacheUsage, 'watches'>[];
  /** Absent without leader election. */
  readonly leadership?: ElectionState;
  /** Absent where the manager was given a clock: an event loop runs by the machine's. */
  readonly eventLoop?: EventLoopState;
}

/** The facts of one watch. A healthy one hears a bookmark about once a minute; after 70 s of silence it is begun anew. */
export interface WatchHealth {
  /** `deployments.apps`. */
  readonly resource: string;
  readonly metadataOnly: boolean;
  /** Undefined for all of them, and for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  /** Everything that was there has been seen once. */
  readonly synced: boolean;
  /** Why it is not open; undefined while it is, or is about to be. */
  readonly problem: InformerProblem['reason'] | undefined;
  /** How long ago the server said anything to it, a refusal too. */
  readonly heardAgeMs: number;
  /** How long ago an event, a bookmark or a list brought it forward; undefined before the first. */
  readonly progressAgeMs: number | undefined;
  /** Undefined before the first bookmark. */
  readonly bookmarkAgeMs: number | undefined;
  /** How often it was begun anew because nothing came for 70 s. */
  readonly restarts: number;
}

/** A watch that this long was silent, though begun anew so often, is beyond what this process can do. */
const deadAfterMs = 600_000;
const deadAfterRestarts = 3;
const deadWithoutRestartMs = 1_200_000;
/** That long ago another request's answer still says that the server answers. */
const recentAnswerMs = 120_000;

/** Knows when the API server last answered any request of the clients that it observes. */
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
  readonly usage: readonly CacheUsage[];
  readonly lateWrites: number;
  readonly answers: ServerAnswers;
  readonly leadership: ElectionState | undefined;
  readonly eventLoop: EventLoopState | undefined;
  readonly clock: Clock;
}

/** What follows from what is known of a manager's parts. */
export function managerHealth(facts: HealthFacts): ManagerHealth {
  const { controllers, usage, leadership, eventLoop, lateWrites } = facts;
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
    ready: !stuck && synced && !degraded && canLead,
    live: leadership?.role !== 'lost' && dead.length === 0,
    problems: [...controllers.flatMap(problemsOf), ...dead, ...leadershipProblems(leadership)],
    controllers,
    watches: watchesOf(facts),
    lateWrites,
    cached: usage.map(({ watches: _told, ...held }) => held),
    ...(leadership === undefined ? {} : { leadership }),
    ...(eventLoop === undefined ? {} : { eventLoop }),
  };
}

function problemsOf({ name, sources, running }: ControllerState): string[] {
  return [
    ...sources.flatMap(({ problem }) => (problem === undefined ? [] : [`controller ${name} ${problem}`])),
    ...running
      .filter(({ stuck }) => stuck)
      .map(({ key, forMs }) => `controller ${name} has reconciled ${key} for ${Math.round(forMs / 1000)} s`),
  ];
}

function leadershipProblems(leadership: ElectionState | undefined): string[] {
  return [
    ...(leadership?.problem === undefined ? [] : [leadership.problem]),
    ...(leadership?.role === 'lost' ? ['another process leads; this one writes nothing more and must end'] : []),
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

/** Sentences about watches that this process cannot bring back, while the server answers others. */
function deadWatches({ usage, answers, clock }: HealthFacts): string[] {
  if (answers.ageMs > recentAnswerMs) return [];
  const nowMs = clock.monotonic();
  return usage.flatMap(({ resource, watches }) =>
    watches.flatMap(({ namespace, lastHeardMs, restartsUnheard }) => {
      const silentMs = nowMs - lastHeardMs;
      const limitMs = restartsUnheard >= deadAfterRestarts ? deadAfterMs : deadWithoutRestartMs;
      if (silentMs <= limitMs) return [];
      const where = namespace === undefined ? '' : ` in ${namespace}`;
      const what = `the watch of ${resource}${where} has heard nothing for ${Math.round(silentMs / 1000)} s`;
      return `${what}, though it was begun anew ${restartsUnheard} times and the API server answers other requests; this process must be started again`;
    }),
  );
}
