import {
  type Clock,
  EvenkeelError,
  groupResourceOf,
  type ManagerRecord,
  type ManagerWitness,
  type WitnessedManager,
} from '@evenkeel/core';
import { callPlace } from './call-place.ts';
import { describeRunOf, ManagerEntry } from './manager-entry.ts';
import type { TestLog } from './test-log.ts';

/** The number of ended managers, and of failed starts, that a journal keeps. */
const mostEnded = 5;
const mostFailedStarts = 5;

export interface OperatorJournalOptions {
  /** Created where the environment was created. */
  readonly call: Error;
  readonly clock: Clock;
  /** Default: nothing is printed. */
  readonly log?: TestLog | undefined;
  /** Why the server runs no controllers of its own: `KUBEBUILDER_ASSETS is set`. Undefined: it does. */
  readonly withoutControllers?: string | undefined;
  /** Whether managers without `namespaces` are rejected, because the objects of others are on the server. Default: false. */
  readonly needsNamespaces?: boolean;
}

/** The call of `Environment.run()` for an operator, and what is wrong with it. */
export interface OperatorStart {
  readonly call: Error;
  /** Undefined if it has started. */
  readonly error: unknown;
}

/**
 * The record of all managers of an environment, for the failures of tests. It is bounded, and contains no values of
 * objects. It rejects a manager that would reconcile the same objects as another one, or those of others on a cluster.
 */
export class OperatorJournal implements ManagerWitness {
  /** Why the server runs no controllers of its own. Undefined: it does, or this is unknown. */
  readonly withoutControllers: string | undefined;
  readonly #clock: Clock;
  readonly #call: Error;
  readonly #log: TestLog | undefined;
  readonly #needsNamespaces: boolean;
  readonly #startMs: number;
  readonly #active: ManagerEntry[] = [];
  readonly #ended: ManagerEntry[] = [];
  readonly #failedStarts: OperatorStart[] = [];
  readonly #guests: { describe(): readonly string[] }[] = [];
  #silentStart: OperatorStart | undefined;

  constructor({ call, clock, log, withoutControllers, needsNamespaces = false }: OperatorJournalOptions) {
    this.withoutControllers = withoutControllers;
    this.#call = call;
    this.#clock = clock;
    this.#log = log;
    this.#needsNamespaces = needsNamespaces;
    this.#startMs = clock.monotonic();
  }

  /** `environment created at src/site.test.ts:12` */
  get title(): string {
    const place = callPlace(this.#call);
    return place === undefined ? 'environment' : `environment created at ${place}`;
  }

  get nowMs(): number {
    return this.#clock.monotonic();
  }

  /** The managers that have not ended, and the last others, each in the order of their creation and end. */
  get active(): readonly ManagerEntry[] {
    return this.#active;
  }

  get ended(): readonly ManagerEntry[] {
    return this.#ended;
  }

  /** The last operators that did not start. */
  get failedStarts(): readonly OperatorStart[] {
    return this.#failedStarts;
  }

  /** The last operator that started without a manager on a transport of the environment. */
  get silentStart(): OperatorStart | undefined {
    return this.#silentStart;
  }

  /** What other parts of the test describe, such as the pods of a PodRunner. */
  get guestLines(): readonly string[] {
    return this.#guests.flatMap((guest) => guest.describe());
  }

  addGuest(guest: { describe(): readonly string[] }): void {
    this.#guests.push(guest);
  }

  created(manager: WitnessedManager): ManagerEntry {
    const entry: ManagerEntry = new ManagerEntry(manager, {
      now: () => this.nowMs,
      starting: (starting) => {
        this.#rejectWithoutNamespaces(starting);
        this.#rejectTwin(starting);
      },
      ran: (run) => this.#print(run.isFailed ? 'error' : 'info', () => describeRunOf(run)),
      logged: ({ level, describe }) => this.#print(level, describe),
      ended: (ended) => {
        this.#active.splice(this.#active.indexOf(ended), 1);
        this.#ended.push(ended);
        if (this.#ended.length > mostEnded) this.#ended.shift();
      },
    });
    this.#active.push(entry);
    return entry;
  }

  /** Starts an operator. Records it if it does not start, or if it creates no manager on a transport of the journal. */
  async starting<T>(call: Error, start: () => Promise<T>): Promise<T> {
    const known = new Set([...this.#active, ...this.#ended]);
    try {
      const operator = await start();
      const isKnown = [...this.#active, ...this.#ended].some((entry) => !known.has(entry));
      if (!isKnown) this.#silentStart = { call, error: undefined };
      return operator;
    } catch (error) {
      this.#failedStarts.push({ call, error });
      if (this.#failedStarts.length > mostFailedStarts) this.#failedStarts.shift();
      throw error;
    }
  }

  #print(level: Parameters<TestLog['print']>[0], describe: () => string): void {
    this.#log?.print(level, this.nowMs - this.#startMs, describe);
  }

  #rejectWithoutNamespaces({ title, manager: { namespaces, controllers } }: ManagerEntry): void {
    if (!this.#needsNamespaces || namespaces !== undefined || controllers.length === 0) return;
    throw new EvenkeelError(
      'test-in-all-namespaces',
      `the ${title} would reconcile all objects of an existing cluster, including those that this test did not create; pass ` +
        'namespaces to createManager(), such as [await environment.createNamespace()], or create the environment with ' +
        '{ allNamespaces: true } if no object there is in use',
    );
  }

  #rejectTwin(starting: ManagerEntry): void {
    for (const other of this.#active) {
      if (other === starting || !other.isActive || isReplica(other.manager, starting.manager)) continue;
      const shared = sharedControllers(other.manager, starting.manager);
      if (shared === undefined || !overlap(other.manager.namespaces, starting.manager.namespaces)) continue;
      throw new EvenkeelError(
        'operator-runs-twice',
        `the ${starting.title} would reconcile the same objects as the ${other.title}, which ` +
          `${other.state === 'stopping' ? 'is still stopping' : 'has not been stopped'}: both have the controller ` +
          `${shared} in this environment; await the stop() of the first one, or give them different namespaces or ` +
          'the same leaderElection',
      );
    }
  }
}

/** Passes the managers of an operator on to several witnesses, until it is killed. */
export function witnessUntilKilled(
  journal: OperatorJournal,
  environment: ManagerWitness | undefined,
  killed: AbortSignal,
): ManagerWitness {
  return {
    created(manager): ManagerRecord {
      const records = [environment?.created(manager), journal.created(manager)].filter((it) => it !== undefined);
      const each = (call: (record: ManagerRecord) => void) => (): void => records.forEach(call);
      const stopped = each((record) => record.stopped());
      if (killed.aborted) stopped();
      else killed.addEventListener('abort', stopped, { once: true });
      return {
        starting: (call) => each((record) => record.starting(call))(),
        started: each((record) => record.started()),
        ran: (run) => each((record) => record.ran(run))(),
        logged: (line) => each((record) => record.logged(line))(),
        failed: (error) => each((record) => record.failed(error))(),
        stopping: each((record) => record.stopping()),
        stopped,
      };
    },
  };
}

/** Whether two managers are replicas of one operator, of which only the leader works. */
function isReplica(one: WitnessedManager, other: WitnessedManager): boolean {
  return one.lease !== undefined && one.lease === other.lease;
}

/**
 * Two controllers with the same name and kind are one: they use the same field manager and label, so they would also
 * change and delete each other's children if they were of different operators.
 */
function sharedControllers(one: WitnessedManager, other: WitnessedManager): string | undefined {
  const describe = ({ name, resource }: WitnessedManager['controllers'][number]): string =>
    `${name} (${groupResourceOf(resource)})`;
  const names = new Set(one.controllers.map(describe));
  const shared = other.controllers.map(describe).filter((name) => names.has(name));
  return shared.length === 0 ? undefined : shared.join(', ');
}

function overlap(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return one === undefined || other === undefined || one.some((namespace) => other.includes(namespace));
}
