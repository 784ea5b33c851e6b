import type { Client, ObjectOf, RequestedKind } from '@evenkeel/client';
import type { Duration } from '@evenkeel/core';
import type { Environment, OperatorConnection, Stoppable } from '../environment.ts';
import type { EventuallyOptions } from '../wait.ts';

/** The connection of an operator in a sweep; pass it on as `createManager({ ...connection, controllers })`. */
export interface SweepConnection extends OperatorConnection {
  /** Only the namespace of the round, because rounds run in parallel. */
  readonly namespaces: readonly string[];
  /**
   * Aborted when this operator is killed and its connection is cut. A fake of another system must then ignore the
   * operator too.
   */
  readonly killed: AbortSignal;
}

/** The parameter of a scenario. */
export interface SweepRound {
  readonly namespace: string;
  /** The client of the user, not of the operator; it gets no faults. */
  readonly client: Client;
  /** Calls an assertion until it passes; see `eventually()`. Default timeout: the rest of the round's time. */
  eventually<T>(assertion: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>;
  /**
   * Compares the objects of `kinds` here too, and not only at the end of the scenario. Call it before the scenario deletes objects, or the
   * sweep does not see what a fault did to them. It waits until the operator has finished, as at the end, and in the rounds with a fault
   * until the state is the expected one, for half of the round's time at most.
   *
   * Does nothing in `foreignObjectSweep()`, which compares no states.
   */
  compare(): Promise<void>;
}

/** `K` is the kinds that are compared, which give `mask` its type. */
export interface SweepOptions<K extends RequestedKind = RequestedKind> {
  /**
   * The environment of operator and scenario; the sweep does not close it. Without `releaseNamespace`, the namespaces of the rounds
   * stay until the environment is closed.
   */
  readonly environment: Pick<Environment, 'client' | 'createNamespace' | 'run'> &
    Partial<Pick<Environment, 'releaseNamespace'>>;
  /**
   * Starts the operator. It is called several times in a round if the operator is killed, and for several rounds in
   * parallel, so operators must not share state. The `stop()` of a killed operator may reject.
   */
  readonly operator: (connection: SweepConnection) => Promise<Stoppable>;
  /**
   * The actions of a user in a namespace: it writes, waits until the operator has finished, and writes again. It
   * resolves in the desired end state, and must not depend on faults. If it deletes all objects of `kinds`, it must call
   * {@link SweepRound.compare} before.
   */
  readonly scenario: (round: SweepRound) => Promise<void>;
  /**
   * The kinds whose objects are compared at the end, and at each {@link SweepRound.compare}. Requests for Leases get faults only if
   * Lease is one of them.
   */
  readonly kinds: readonly K[];
  /**
   * Removes values that may differ between two runs without a fault, by changing the given copy of an object: an
   * instance of its class, as the client returns it, so `object instanceof Deployment` selects a kind. Already
   * removed are resource versions, times, managedFields, uids of objects of `kinds`, and values that the server
   * assigns: the cluster IPs, node ports and load balancer addresses of a Service (also if another object contains
   * them), the node and addresses of a Pod, and the volume of a PersistentVolumeClaim. A headless Service stays
   * headless.
   *
   * A removed value is not compared, so the sweep does not notice if a fault changes it. If a value is generated once and must
   * then stay, keep it in the scenario when it is there first, and compare it in each later assertion.
   */
  readonly mask?: (object: ObjectOf<K>) => void;
  /** The number of parallel rounds. Default: 4. */
  readonly concurrency?: number;
  /** How long an operator must not write to count as finished. Default: `'100ms'`. */
  readonly quiet?: Duration;
  /** The time limit of a round. Default: `'30s'`. */
  readonly timeout?: Duration;
}
